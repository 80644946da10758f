"""What somebody may type, paste or be made to type: syntax, and bytes at random."""

import random
from collections.abc import Iterator
from typing import Final

SEED: Final = 20_260_214
WHOLE: Final = 10_000
SAMPLE: Final = 60
LONGEST: Final = 400
# Each means something to FTS5, to tantivy, to a regular expression, to a glob, a shell,
# SQL, a terminal or a parser of options, alone or in the wrong place.
SYNTAX: Final = (
    # FTS5
    "a AND", "AND", "a AND b", "a OR", "OR OR", "NOT", "a NOT b", "NEAR(",
    "NEAR(a b, 2)", "NEAR(a b", "NEAR/2", "*", "dep*", "* dep", "^dep", "body: dep",
    "body : (", "-body:a", "{a b} : c", "- {a b} : c", '"', '""', '"a', 'a"',
    '"a" + "b"', '"a" "b"*', "'a'", "(", ")", "(a", "a)", "((((", "()", "a + b", "+",
    ",", "a, b", "a^2 b", '"a""b"', ":", "a:",
    # tantivy
    "title:x", "body:", "layer:global", "path:*", "generation:[0 TO 9]", "+a -b",
    "-a", "+", "-", "a^2", "a^", "a~1", "a~", '"a b"~2', '"a b"~', "[a TO b]",
    "{a TO b}", "[a TO", "[* TO *]", "{* TO b]", "IN [a b]", "title: IN [a", "/x/",
    "/x", "title:/(/", "<a", ">=a", "a && b", "a || b", "!a", "!", "\\", "\\a", "a\\",
    "title:\\*", "NOT a AND", "1.5..2", "%",
    # Regular expressions
    "[", "]", "[^", "[a-", "[z-a]", "{", "}", "{1", "a{2,1}", "a{99999}",
    "(a{1000}){1000}", "(?", "(?P<", "(?P<n>a", "(?i)", "(?-u)\\xff", "(?=a)",
    "(?<=a)", "\\1", "\\p{Han}", "\\p{", "\\x", "\\x{110000}", "\\u{d800}", "\\b",
    "\\B{start}", "$", "^", "^$", ".", ".*", ".*.*.*.*x", "(.*)*", "(a+)+$",
    "(a|a)*b", "(x+x+)+y", "|", "||", "a|", "?", "a??", "+?", "\\", "\\\\",
    "[[:alpha:]]", "[[:x:]]", "[a&&b]", "(?x) a # b", "\\n", "a\\nb", "\\Z",
    # Options, globs, shells, SQL
    "--", "-e", "--pre=touch x", "--pre", "-f/etc/passwd", "--files", "-u", "--help",
    "-", "--json", "--tag", "--layer=all", "@file", "!.*", "**/*", "~", "$HOME",
    "`id`", "$(id)", "; id", "| id", "&& id", "> x", "a\0b", "' OR 1=1 --",
    "'; DROP TABLE memories; --", "?", ":a", "$1", "%s", "%n", "{0}", "{}", "\x1b[2J",
    "\x1b]0;x\x07", "\r\n", "\t", "\x7f",
    # Letters
    "pre-edit", "GB/s", "don't", "C++", "c#", "f#", "C+++", "#", "##", "a#b", ".",
    "..", "_", "__init__", "a.b.c", "a_b", "aB", "ABc", "x" * 4_000, "x " * 4_000,
    "xY" * 2_000, "𐨀", "设", "设备", "設" * 500, "しりとり", "백업", "ﾃﾞｰﾀ", "ＡＢ",
    "นโยบาย", "e\u0301" * 99, "\u0301", "\u200b", "\u202e", "\ufeff", "\ufffe",
    "\U0010ffff", "\ud800", "\udcff", "\ud83d", "😀", "👍🏽", "🇩🇪", "👨‍👩‍👧",
    "\ufe0f", "ß", "İ", "ﬁ", "Ⅷ", "٣", "½", "", " ", "\n",
)  # fmt: skip
_SIGNS: Final = b" \"'()[]{}<>*+?|\\^$.:~!-/&%#@,;=_\t\n\0aAbB12TOANDORNOTNEAR"
_LETTERS: Final = "设备数据库しりデータ백업éßİ😀👍\u200d\u0301\u202eaZ _-."


def texts(count: int, seed: int = SEED) -> list[str]:
    """Give all of the syntax, and so many strings of bytes at random.

    What is no UTF-8 is kept as the command line keeps it.
    """
    source = random.Random(seed)  # noqa: S311  no secret
    drawn = (_drawn(source).decode("utf-8", "surrogateescape") for _ in range(count))
    return [*dict.fromkeys(SYNTAX), *drawn]


def _drawn(source: random.Random) -> bytes:
    """Draw bytes: any, signs, letters of many scripts, or the syntax, cut and mixed."""
    length = source.choice((1, 2, 3, 5, 8, 20, 80, LONGEST))
    kind = source.randrange(4)
    if kind == 0:
        return source.randbytes(length)
    if kind == 1:
        return bytes(source.choices(_SIGNS, k=length))
    if kind == 2:
        data = bytearray("".join(source.choices(_LETTERS, k=length)).encode())
        for _ in range(source.randrange(3)):
            data[source.randrange(len(data))] = source.randrange(256)
        return bytes(data)
    return b"".join(_pieces(source))[:LONGEST]


def _pieces(source: random.Random) -> Iterator[bytes]:
    for _ in range(source.randint(1, 6)):
        text = source.choice(SYNTAX).encode("utf-8", "replace")[:40]
        start = source.randrange(len(text) + 1)
        yield text[start:] if source.random() < 0.5 else text[:start]
        yield source.choice((b"", b" ", b"\n"))
