"""Make stored text unable to act as anything but data in front of a model; pure."""

import re
import unicodedata
from typing import Final

from gitmem.secrets import conceal, in_name

LINE_LIMIT: Final = 300
_CUT_MARK: Final = "…"

# Scripts whose letters join, or are kept apart, by a zero-width joiner, and emoji.
_JOINING: Final = (
    "[\u0600-\u109f\u1780-\u18af\ua800-\uaaff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00011fff]"
)
_EMOJI: Final = "[\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff]"
_JOINERS: Final = "[\u200c\u200d]"
_SELECTORS: Final = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
# Control, separator, bidirectional and ignorable characters and unpaired surrogates;
# joiners and variation selectors where no script, emoji or sign has a use for them:
# a row of any of these hides a message.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    "\U000e01f0-\U000e0fff\ud800-\udfff]"
    f"|(?!(?<={_JOINING}){_JOINERS}(?!{_JOINERS})"
    f"|(?<={_EMOJI})\u200d(?={_EMOJI})){_JOINERS}"
    "|(?<![\u1820-\u18aa])[\u180b-\u180d\u180f]"
    f"|(?:(?<={_SELECTORS})|(?<![#*0-9\xa9\xae\u0250-\U0010ffff])){_SELECTORS}"
)
_LINE_BREAKING: Final = re.compile("[\t\n]")
# The less-than sign, and the signs that pass for one at a glance.
_SIGNS: Final = (
    "<\u02c2\u1438\u2039\u226a\u226e\u2329\u22d8\u276c\u276e\u27e8\u27ea\u2991\u29fc"
    "\u2aa1\u3008\ufe64\uff1c"
)
# Titles stand between these in Chinese: only a mark of ours or of hosts counts.
_TITLES: Final = "\u300a\ufe3d"
_OPENER: Final = re.compile(f"[{_SIGNS}]+|[{_TITLES}]")
# Our own tags, and the marks by which hosts and models tell who is speaking.
_STEMS: Final = (
    "memory",
    "instruction",
    "system",
    "developer",
    "assistant",
    "human",
    "function",
    "tool",
    "invoke",
    "antml",
    "persisted",
    "imstart",
    "imend",
    "endof",
    "startof",
    "startheader",
    "endheader",
    "userprompt",
    "userquery",
    "localcommand",
    "commandname",
    "commandmessage",
    "commandargs",
    "tasknotification",
)
_LONGEST_STEM: Final = max(map(len, _STEMS))
_LOOK_AHEAD: Final = 120
# Whatever begins with these is a tag, a token of a model, or an unended one.
_TAG: Final = re.compile(r"\s*[/|\u00a6\u01c0\u2016\u2223\u2502\u2758]|[!?]?[^\W\d]|_")
_CLOSED: Final = re.compile(r"\s*(?=[^>]*\w)[^\s>]+\s*[>\u02c3\u203a\u232a\u27e9]")
_LINK: Final = re.compile(
    r"(?:(?:https?|ftp|ssh|git|file)://|mailto:)[^\s<>|]+>|[\w.+-]+@[\w-]+(?:\.[\w-]+)+>",
    re.ASCII,
)
# What stands behind a name, as in `Map<K, V>` or `i<n`.
_TYPE: Final = re.compile(r"[A-Za-z0-9]+(?:::[A-Za-z0-9]+)*(?![\w:.-])")
_SPEAKERS: Final = ("user", "command", "task", "thinking", "hook", "eot", "sys", "inst")
_BRACKET: Final = re.compile(
    r"[\[\uff3b\u27e6\u3010\u3014](?=([^\[\]\n]{1,40}?)[\]\uff3d\u27e7\u3011\u3015])"
)
_TURNS: Final = ("INST", "SYS", "TOOL", "AVAILABLETOOL", "USER", "ASSISTANT")


def text(value: str) -> str:
    """Fence a text: line ends and tabs stay, credentials go, all else is shown."""
    return _shown(_without_marks(conceal(value.replace("\r\n", "\n"))))


def line(value: str, limit: int = LINE_LIMIT) -> str:
    """Fence a value into one line that is cut at `limit` characters."""
    fenced = _whole(conceal(" ".join(value.split())))
    if len(fenced) <= limit:
        return fenced
    # The cut may take away the word that made a less-than sign harmless.
    return _without_marks(fenced[: limit - 1] + _CUT_MARK)


def name(value: str) -> str:
    """Fence a path, whole: it is of no use unless it is exact; credentials go."""
    if in_name(value):
        value = conceal(value)
    return _whole(value)


def _whole(value: str) -> str:
    if _is_plain(value):
        return value
    return _LINE_BREAKING.sub(_escape, _shown(_without_marks(value)))


def attribute(value: str) -> str:
    """Fence a value that stands between double quotes in a tag."""
    fenced = name(value)
    return fenced.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _is_plain(value: str) -> bool:
    """Recognise the usual value quickly: a start lists thousands of them."""
    return (
        value.isascii()
        and value.isprintable()
        and "<" not in value
        and "[" not in value
    )


def _shown(value: str) -> str:
    return _HIDDEN.sub(_escape, value)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004


def _without_marks(value: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        before = value[max(0, match.start() - 1) : match.start()]
        after = value[match.end() : match.end() + _LOOK_AHEAD]
        is_mark = _reads_as_mark(match[0], before, after)
        return "&lt;" * len(match[0]) if is_mark else match[0]

    return _BRACKET.sub(_bracket, _OPENER.sub(escaped, value))


def _bracket(match: re.Match[str]) -> str:
    """Show a bracket that would begin or end a turn, as `[INST]` does."""
    plain = _plain(match[1])
    word = "".join(c for c in plain if c.isalnum())
    is_turn = word.startswith(_TURNS) or word.casefold() == "inst"
    return "&#91;" if is_turn and not plain.strip("/ _-").count(" ") else match[0]


def _plain(value: str) -> str:
    """Take away what makes letters look different: width, style, accents, fillers."""
    if value.isascii():
        return _HIDDEN.sub("", value)
    decomposed = unicodedata.normalize("NFKD", value)
    shown = _HIDDEN.sub("", decomposed)
    return "".join(
        c for c in shown if unicodedata.category(c)[0] not in "MC" or c == "\n"
    )


def _reads_as_mark(signs: str, before: str, after: str) -> bool:
    """Say whether what follows a `<` could be read as a tag or a token.

    Spelling, case, spaces, slashes, accents and other punctuation do not hide a name
    of ours or of a host. A name in another script may imitate any of them. Where no
    name follows, the next field could complete it.
    """
    plain = _plain(after)
    word = "".join(c for c in plain.casefold() if c.isalnum()).lstrip("0123456789")
    word = word[:_LONGEST_STEM]
    if signs in _TITLES:
        return word.startswith(_STEMS)
    if not any(c.isalnum() for c in plain) or not word.isascii():
        return True
    if word.startswith(_STEMS):
        return True
    is_link = len(signs) == 1 and _LINK.match(after) and _LINK.match(plain)
    return not is_link and _is_tag(len(signs), before, plain)


def _is_tag(signs: int, before: str, after: str) -> bool:
    is_word = before.isascii() and before.isalnum()
    if signs == 1 and is_word and (found := _TYPE.match(after)):
        names = found[0].casefold().split("::")
        return any(name.startswith((*_STEMS, *_SPEAKERS)) for name in names)
    return bool(_TAG.match(after) or _CLOSED.match(after))
