from pathlib import PurePosixPath as P

from gitmem.memory.findings import FINDINGS, codes, finding
from gitmem.memory.mend import MENDS
from gitmem.memory.problems import PROBLEMS


def table():
    rows = ["| code | weight | meaning | `--fix` |", "| --- | --- | --- | --- |"]
    for code, (severity, message) in codes().items():
        mend = MENDS[code].what if code in MENDS else ""
        rows.append(f"| `{code}` | {severity} | {message} | {mend} |")
    return "\n".join(rows)


def test_every_code_is_documented(repository_root):
    text = (repository_root / "docs/reference/check.md").read_text(encoding="utf-8")
    assert table() in text


def test_no_code_means_two_things():
    assert set() == set(FINDINGS) & set(PROBLEMS)


def test_findings_are_ordered_by_path_and_line():
    first = finding(P("a.md"), "secret", line=2)
    later = finding(P("a.md"), "dead-link", line=10)
    last = finding(P("b.md"), "link")
    assert [first, later, last] == sorted([last, later, first])


def test_a_detail_cannot_move_a_cursor():
    assert "\x1b" not in finding(P("a.md"), "dead-link", detail="a\x1b[2J").message
