"""Shape text before it is tokenized, the same way for files and for queries; pure."""

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Final

# Scripts written without spaces (and Hangul, whose particles cling to words): one
# token a character, so that a phrase query finds exactly the substrings.
UNSPACED: Final = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff"
    "\u2e80-\u2fdf\u3005-\u3007\u3031-\u3035\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3100-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
# A letter that nobody writes stands for punctuation between two unspaced characters:
# without it a phrase would run over a full stop.
BREAK: Final = "\U00010a00"
# A tokenizer takes these for punctuation. Skin tones and styles are left to it.
EMOJI: Final = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|[\u203c\u2049\u231a\u231b\u2328\u23cf\u23e9-\u23fa"
    "\u25b6\u25c0\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\U0001f000-\U0001f3fa"
    "\U0001f400-\U0001faff]"
)
CAMEL_LIMIT: Final = 2_000

_IS_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_RUN: Final = re.compile(f"([{UNSPACED}]+)")
_PUNCTUATION: Final = re.compile(r"[\W_]+")
_PHRASE_END: Final = f" {BREAK}"
# Characters that no folding changes, nor what stands beside them.
_UNFOLDED: Final = re.compile(
    "[\x00-\x7f\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u3105-\u312f\u3400-\u4dbf"
    f"\u4e00-\u9fff\uac00-\ud7a3\uff01-\uffdc{BREAK}]*"
)
_COMBINING: Final = re.compile("[\u0300-\u036f]+")
# Letters without an accent to drop: what the engine itself folds them to, so that a
# line can be compared with what was typed.
_LETTERS: Final = str.maketrans(
    {
        "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
        "ø": "o", "Ø": "O", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH",
        "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "\u0131": "i", "ĸ": "q",
        "ĳ": "ij", "Ĳ": "IJ", "ŀ": "l", "Ŀ": "L", "ł": "l", "Ł": "L",
        "ŉ": "n", "ŋ": "n", "Ŋ": "N", "ŧ": "t", "Ŧ": "T", "\u017f": "s",
    }
)  # fmt: skip
_CASES: Final = bytes(
    ord("A") if byte.isupper() else ord("a") if byte.isalnum() else ord("-")
    for byte in (bytes((number,)) for number in range(256))
)
# `getName` has the one, `HTTPServer` only the other. A pattern that begins with a
# letter is looked for at the speed of memory.
_TURN: Final = re.compile(rb"A(?:(?<=aA)|(?<=AA)(?=a))")
_CAMEL_PART: Final = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+")
# Names that are all punctuation to a tokenizer, by what stands for them.
SYMBOLS: Final = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp"}
_SIGNS: Final = (
    (b"#", re.compile(rb"#(?<=([cCfF])#)")),
    (b"+", re.compile(rb"\+(?<=([cC])\+)\+")),
)


def shaped(text: str) -> str:
    """Return what the tokenizer is given for a text: folded, spaced, identifiers split.

    The parts of `getUserName` follow the text, so that phrases in it stay whole.
    """
    data = text.encode("utf-8", "replace")
    plain = data.decode() if data.isascii() else _shaped_lines(data)
    extra = symbol_names(data)
    if words := camel_words(data):
        extra += _CAMEL_PART.findall(" ".join(words))
    return f"{plain} {' '.join(extra)}" if extra else plain


def folded(text: str) -> str:
    """Drop the accents of letters, spell ß as ss, and compose what is left (NFC)."""
    if text.isascii() or _UNFOLDED.fullmatch(text):
        return text
    bare = _COMBINING.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


def spaced(text: str) -> str:
    """Put spaces round every character of an unspaced script, and name emoji."""
    if text.isascii():
        return text
    # What is between two runs is at the even places.
    pieces = _RUN.split(EMOJI.sub(_emoji_name, text))
    pieces[1::2] = [f" {' '.join(run)} " for run in pieces[1::2]]
    pieces[2:-1:2] = [
        f" {BREAK} " if _PUNCTUATION.fullmatch(gap) else gap for gap in pieces[2:-1:2]
    ]
    return "".join(pieces)


def path_words(path: PurePosixPath) -> str:
    """Give the names in a path, those of the layer and of the format left out."""
    return str(path).rpartition(".")[0].partition("/")[2].replace("/", " ")


def _emoji_name(found: re.Match[str]) -> str:
    # A word that nobody writes: no text can be taken for the picture.
    return f" {BREAK}{''.join(f'{ord(c):x}' for c in found[0])} "


def _shaped_lines(data: bytes) -> str:
    """Change the lines that are not plain ASCII: in most texts these are few."""
    lines = data.split(b"\n")
    odd = [at for at, plain in enumerate(map(bytes.isascii, lines)) if not plain]
    # The next line is another phrase.
    text = f"{_PHRASE_END}\n".encode().join([lines[at] for at in odd]).decode()
    shaped_lines = spaced(folded(text + _PHRASE_END)).encode().split(b"\n")
    for at, line in zip(odd, shaped_lines, strict=True):
        lines[at] = line
    return b"\n".join(lines).decode()


def symbol_names(data: bytes) -> list[str]:
    """Name the languages made of signs that a UTF-8 text speaks of."""
    found: dict[str, None] = {}
    for sign, pattern in _SIGNS:
        if sign in data:
            found |= dict.fromkeys(map(_symbol_name, pattern.finditer(data)))
    return list(found)


def _symbol_name(found: re.Match[bytes]) -> str:
    return SYMBOLS[(found[1] + found[0]).decode("ascii").lower()]


def camel_words(data: bytes) -> list[str]:
    """List the distinct words of a UTF-8 text whose case changes inside.

    Those that go on with a capital come first, before `HTTPServer`.
    """
    # Mapping every byte to its kind and looking for changes of case runs at the speed
    # of memory; a regular expression over the text cost more than the index itself.
    kinds = data.translate(_CASES)
    usual: dict[bytes, None] = {}
    other: dict[bytes, None] = {}
    end = 0
    while turn := _TURN.search(kinds, end):
        start = kinds.rfind(b"-", 0, turn.start()) + 1
        end = kinds.find(b"-", turn.start())
        end = len(kinds) if end < 0 else end
        words = usual if kinds.find(b"aA", start, end) >= 0 else other
        words[data[start:end]] = None
    return b" ".join([*usual, *other][:CAMEL_LIMIT]).decode("ascii").split()


def parts(word: str) -> list[str]:
    """Split an identifier at separators and at changes of case."""
    return [
        part
        for piece in re.split(r"[\W_]+", word)
        if piece
        for part in (_CAMEL_PART.findall(piece) if piece.isascii() else [piece])
    ]


def runs(text: str) -> list[str]:
    """Cut a text where unspaced and spaced scripts meet."""
    return re.findall(f"[{UNSPACED}]+|[^{UNSPACED}]+", text)


def is_unspaced(text: str) -> bool:
    """Tell whether a run is of a script that is written without spaces."""
    return bool(text) and bool(_IS_UNSPACED.match(text))
