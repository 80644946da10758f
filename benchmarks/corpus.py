"""Make a memory repository of any size, the same one for the same seed."""

import argparse
import contextlib
import itertools
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

SEED: Final = 20_260_214
WORDS: Final = 20_000
LAYERS: Final = ("global", *(f"project-{number}" for number in range(1, 10)))
FOLDERS: Final = ("core", "core/project", "notes", "docs", "archive", "records")
BODY_WORDS: Final = (250, 750)
FILES_PER_FOLDER: Final = 40
IDENTIFIERS: Final = ("getUserName", "parse_header", "HTTPServer", "max_retry_count")
CHINESE: Final = "设备索引回滚数据库备份服务器部署缓存连接超时配置文件权限日志"
KANA: Final = "データベースの索引をロールバックするしりとり設定ファイル"
HANGUL: Final = "백업서버배포설정파일색인복구연결시간초과"
_SYLLABLES: Final = re.findall(
    "..", "babecodadefigahoinkalememiminoopparerasasetatetiunvave"
)


def words(source: random.Random, count: int = WORDS) -> list[str]:
    """Invent words, the first of which will be used most."""
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = source.choices(_SYLLABLES, k=source.randint(2, 4))
        found["".join(syllables)] = None
    return list(found)


def memories(count: int, seed: int = SEED) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each memory."""
    source = random.Random(seed)  # noqa: S311  no secret
    vocabulary = words(source)
    # Word frequencies fall as in a natural language (Zipf).
    ladder = list(itertools.accumulate(1 / rank for rank in range(2, WORDS + 2)))
    for number in range(count):
        yield _path(number), _text(number, source, vocabulary, ladder)


def write(folder: Path, count: int, seed: int = SEED) -> int:
    """Write the memories below a folder, and return how many bytes they have."""
    size = 0
    for path, text in memories(count, seed):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        size += file.write_text(text, encoding="utf-8")
    return size


def prompts(count: int, length: int = 8, seed: int = SEED) -> list[str]:
    """Write what a person could ask about such memories."""
    known = words(random.Random(seed))  # noqa: S311  no secret
    source = random.Random(count)  # noqa: S311  no secret
    ladder = list(itertools.accumulate(1 / rank for rank in range(2, WORDS + 2)))
    return [
        f"how do we fix {' '.join(source.choices(known, cum_weights=ladder, k=length))}"
        for _ in range(count)
    ]


def _path(number: int) -> str:
    layer = LAYERS[number % len(LAYERS)]
    folder = FOLDERS[number // len(LAYERS) % len(FOLDERS)]
    shelf = number // (len(LAYERS) * len(FOLDERS) * FILES_PER_FOLDER)
    return f"{layer}/{folder}/{shelf:04}/memory-{number:06}.md"


def _text(
    number: int,
    source: random.Random,
    vocabulary: Sequence[str],
    ladder: Sequence[float],
) -> str:
    def some(count: int) -> str:
        return " ".join(source.choices(vocabulary, cum_weights=ladder, k=count))

    day = f"2026-{1 + number % 12:02}-{1 + number % 28:02}"
    tags = ", ".join(source.choices(vocabulary[:300], k=source.randint(1, 3)))
    head = f'description: {some(9)}\ntags: [{tags}]\ncreated: "{day}"\nupdated: "{day}"'
    lines = [f"# {some(4)}", ""]
    left = source.randint(*BODY_WORDS)
    while left > 0:
        lines += [f"## {some(3)}", ""]
        lines += [some(12) for _ in range(source.randint(2, 9))]
        lines += [_special(source), ""]
        left -= 80
    return f"---\n{head}\n---\n" + "\n".join(lines)


def _special(source: random.Random) -> str:
    """Write a line of what is not plain English words."""
    script = source.choice((CHINESE, KANA, HANGUL, "", "", ""))
    if not script:
        return f"The call {source.choice(IDENTIFIERS)} failed once."
    start = source.randrange(len(script) - 4)
    return script[start : start + source.randint(4, 12)] + "。"


@contextlib.contextmanager
def at(corpora: Path | None, count: int) -> Iterator[tuple[Path, Path]]:
    """Give a memory of a size, and a folder for what is made of it, which goes again.

    In `corpora` it is written once, and used again by whoever asks for that size.
    """
    with tempfile.TemporaryDirectory(dir=corpora) as folder:
        root = (corpora or Path(folder)) / f"memories-{count}"
        if not root.exists():
            made = Path(folder, "made")
            made.mkdir()
            write(made, count)
            made.rename(root)
        yield root, Path(folder)


def options(about: str | None) -> argparse.ArgumentParser:
    """Take the options of every benchmark that measures corpora of several sizes."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000])
    parser.add_argument("--corpora", type=Path, help="where memories are kept for more")
    return parser


def main() -> None:
    """Write a corpus where the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    size = write(options.folder, options.count, options.seed)
    sys.stdout.write(f"{options.count} memories, {size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
