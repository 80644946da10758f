"""Find and mask credentials in text; pure, and never repeats one.

The shapes come from their issuers' own documentation. Patterns are compiled at first
use, start at a fixed text and have bounded repeats: no input takes more than linear
time.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MASK: Final = b"***"
ASSIGNED: Final = "password or key"

# prefix, least length of what follows, kind
_TOKENS: Final = (
    (b"AKIA", 16, "AWS access key"),
    (b"ASIA", 16, "AWS access key"),
    (b"ABIA", 16, "AWS access key"),
    (b"ghp_", 36, "GitHub token"),
    (b"gho_", 36, "GitHub token"),
    (b"ghu_", 36, "GitHub token"),
    (b"ghs_", 36, "GitHub token"),
    (b"ghr_", 36, "GitHub token"),
    (b"github_pat_", 60, "GitHub token"),
    (b"glpat-", 20, "GitLab token"),
    (b"gldt-", 20, "GitLab token"),
    (b"glrt-", 20, "GitLab token"),
    (b"glptt-", 20, "GitLab token"),
    (b"xoxb-", 20, "Slack token"),
    (b"xoxp-", 20, "Slack token"),
    (b"xoxa-", 20, "Slack token"),
    (b"xoxe-", 20, "Slack token"),
    (b"xoxr-", 20, "Slack token"),
    (b"xoxs-", 20, "Slack token"),
    (b"xapp-", 20, "Slack token"),
    (b"hooks.slack.com/services/T", 36, "Slack webhook"),
    (b"sk_live_", 16, "Stripe key"),
    (b"rk_live_", 16, "Stripe key"),
    (b"sk_test_", 16, "Stripe key"),
    (b"rk_test_", 16, "Stripe key"),
    (b"whsec_", 24, "Stripe webhook secret"),
    (b"sk-ant-", 40, "Anthropic key"),
    (b"sk-proj-", 40, "OpenAI key"),
    (b"sk-svcacct-", 40, "OpenAI key"),
    (b"sk-admin-", 40, "OpenAI key"),
    (b"sk-or-v1-", 40, "OpenRouter key"),
    (b"sk-", 32, "OpenAI key"),
    (b"AIza", 35, "Google API key"),
    (b"GOCSPX-", 28, "Google client secret"),
    (b"ya29.", 30, "Google access token"),
    (b"npm_", 36, "npm token"),
    (b"pypi-AgE", 50, "PyPI token"),
    (b"rubygems_", 48, "RubyGems token"),
    (b"hf_", 34, "Hugging Face token"),
    (b"gsk_", 48, "Groq key"),
    (b"xai-", 60, "xAI key"),
    (b"pplx-", 40, "Perplexity key"),
    (b"r8_", 37, "Replicate token"),
    (b"SG.", 60, "SendGrid key"),
    (b"SK", 32, "Twilio key"),
    (b"dop_v1_", 64, "DigitalOcean token"),
    (b"doo_v1_", 64, "DigitalOcean token"),
    (b"dapi", 32, "Databricks token"),
    (b"dckr_pat_", 27, "Docker token"),
    (b"shpat_", 32, "Shopify token"),
    (b"shpss_", 32, "Shopify token"),
    (b"lin_api_", 40, "Linear key"),
    (b"ntn_", 40, "Notion token"),
    (b"figd_", 40, "Figma token"),
    (b"hvs.", 24, "Vault token"),
    (b"sq0atp-", 22, "Square token"),
    (b"sq0csp-", 40, "Square secret"),
    (b"EAAA", 60, "Square token"),
    (b"tskey-", 30, "Tailscale key"),
    (b"pat-na1-", 36, "HubSpot token"),
    (b"pat-eu1-", 36, "HubSpot token"),
    (b"ATATT3", 60, "Atlassian token"),
    (b"PMAK-", 58, "Postman key"),
    (b"NRAK-", 27, "New Relic key"),
    (b"glsa_", 40, "Grafana token"),
    (b"sntrys_", 60, "Sentry token"),
    (b"sbp_", 40, "Supabase token"),
    (b"pscale_tkn_", 32, "PlanetScale token"),
    (b"pul-", 40, "Pulumi token"),
    (b"AGE-SECRET-KEY-1", 58, "age key"),
    (b"AccountKey=", 86, "Azure storage key"),
    (b"SharedAccessKey=", 43, "Azure access key"),
)
# These are so short that ordinary text has them; what follows must be one plain run.
_SHORT: Final = frozenset({b"sk-", b"SK", b"dapi", b"pul-", b"AKIA", b"ASIA", b"ABIA"})
_RUN: Final = rb"[A-Za-z0-9_.+/=-]{1,400}"
_PLAIN_RUN: Final = rb"[A-Za-z0-9]{1,400}"
_ESCAPED_BREAKS: Final = (rb"\n", rb"\r", rb"\t")

_PRIVATE_KEY: Final = (
    rb"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    rb"[\s\S]{0,300}?[A-Za-z0-9+/]{40}"
)
_JWT: Final = rb"(?<![\w.-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{20,2000}"
_TELEGRAM: Final = rb"(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])"
_UNMISTAKABLE: Final = (
    (_PRIVATE_KEY, "private key"),
    (_JWT, "JSON web token"),
    (_TELEGRAM, "Telegram bot token"),
)
_URL: Final = (
    rb"://(?P<user>[^\s/:@\"'<>`]{0,100}):(?P<value>[^\s/@\"'<>`]{1,200})@[\w\[]"
)
_HEADER: Final = rb"(?i:bearer|basic)\s{1,3}(?P<value>[\w.~+/=-]{20,2000})"
_ASSIGNMENT: Final = rb"""
    (?P<name> pass (?:word|wd|phrase) | pwd | secret | token | credential | contrase..?a
      | (?<= [a-z0-9_-] ) key )
    (?P<rest> [a-z0-9_-]{0,30} ) ["'`\]*]{0,4}
    (?: \s{0,4} (?: => | := | [=:] ) \s{0,4} | \s (?:is|was) :? \s (?= ["'`] ) )
    (?: " (?P<double> [^"\s]{8,300} ) " | ' (?P<single> [^'\s]{8,300} ) '
      | ` (?P<tick> [^`\s]{8,300} ) ` | (?P<bare> [^\s"'`,;]{12,300} ) )
"""
_VALUES: Final = ("double", "single", "tick", "bare")
_ABOUT_A_SECRET: Final = (
    rb"(?:hash|sha|digest|_id|-id|url|uri|name|path|file|env|ref|type|count|field|s$)"
)
_NO_SECRET_KEY: Final = (
    rb"(?:cache|primary|public|pub|foreign|sort|partition|idempotency|object|storage"
    rb"|state|group|row|map|lookup|dedup|host|natural|composite|tur|mon)[_-]?$"
)
_LONGEST_PREFIX: Final = 16
_PLACEHOLDER: Final = (
    rb"(?i)[$<>{}()\[\]\\]|x{4}|\*{3}|\.{3}|your|example|placeholder|change.?me|dummy"
    rb"|sample|redact|insert|replace|secrets?[._]|env[.\[]|process\.|settings\.|config\."
    rb"|^(?:https?:|[./~]/|/)|0{8}|12345678|abcdef"
)
_WEAK: Final = frozenset(
    {b"password", b"passwd", b"pass", b"secret", b"token", b"postgres", b"root"}
    | {b"admin", b"user", b"username", b"mysql", b"guest", b"test", b"changeme", b"pw"}
)
# In bits for each byte. Twenty drawn characters have about 4, words about 2.8.
_LEAST_ENTROPY: Final = 3.0
_LEAST_ENTROPY_SHORT: Final = 2.5
_SHORT_BYTES: Final = 20
# An opaque run in a name such as oauth2 or sha256 is shorter than this.
_OPAQUE_BYTES: Final = 8

_NAMED_VALUE: Final = (
    rb"(?i)((?:token|secret|password|passwd|pwd|api_?key|signature)"
    rb"(?:=|[\"']\s{0,3}:\s{0,3})[\"']?)[^\s&\"',;]{1,4000}"
)
# `user:password@host`, behind whichever scheme or none.
_USER_AND_PASSWORD: Final = (
    rb"(?<![\w.+@%-])([\w.+%-]{0,100}):[^\s/:@\"'<>`]{1,400}@(?=[\w\[])"
)
_MASKED: Final = (
    # Git allows a token as the user's name; "git" is none.
    (rb"://(?!git@)[^\s/]{1,2000}@", b"://***@"),
    (_USER_AND_PASSWORD, b"***@"),
    (rb"(?i)(authorization[\"']?\s{0,3}[:=]\s{0,3}).{1,4000}", rb"\1***"),
    (rb"(?i)((?:bearer|basic)\s{1,3})[\w.~+/=-]{8,4000}", rb"\1***"),
    (rb"(?i)([?&](?:key|sig|code|auth)=)[^\s&\"']{1,4000}", rb"\1***"),
    (_NAMED_VALUE, rb"\1***"),
    (rb"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY[^\n]{0,20})[\s\S]{1,20000}", rb"\1***"),
    (_JWT, MASK),
    (_TELEGRAM, MASK),
)
# Looking closely at each of a thousand descriptions would take a while.
_POSSIBLE: Final = r"[:=@]|-----|\S{16}"
# A path is made of words, and each of many thousands is looked at.
_POSSIBLE_NAME: Final = re.compile(
    r"[:=@`]|[^\W_]{16}|(?<![\w-])(?=[\w-]*[0-9])(?=[\w-]*[A-Z])[\w-]{20}"
)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Where something that looks like a credential stands, and what kind it is."""

    line: int
    kind: str


def find(data: bytes | str) -> tuple[Finding, ...]:
    """Name the line and kind of everything that looks like a credential."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    # UTF-16 in its ASCII part is ASCII with NULs between.
    data = data.replace(b"\0", b"")
    hits = sorted({(start, kind) for start, kind in _hits(data)})
    found = {Finding(line, kind) for line, kind in _lines(data, hits)}
    named = {each.line for each in found if each.kind != ASSIGNED}
    return tuple(
        sorted(
            each for each in found if each.kind != ASSIGNED or each.line not in named
        )
    )


def in_name(path: str) -> tuple[Finding, ...]:
    """Name the kind of everything in a path that looks like a credential."""
    return find(path) if _POSSIBLE_NAME.search(path) else ()


def mask(text: str) -> str:
    """Replace what looks like a credential by ***; rather too much than too little."""
    data = text.encode("utf-8", "surrogatepass")
    for pattern, replacement in _MASKED:
        data = re.sub(pattern, replacement, data)
    for prefix, least, _ in _TOKENS:
        if prefix in data:
            data = _without_tokens(data, prefix, least)
    return data.decode("utf-8", "surrogatepass")


def conceal(text: str) -> str:
    """Mask a text that surely holds a credential, and leave any other as it is."""
    is_possible = re.search(_POSSIBLE, text) is not None
    return mask(text) if is_possible and find(text) else text


def _hits(data: bytes) -> Iterator[tuple[int, str]]:
    for prefix, least, kind in _TOKENS:
        # Most texts have none of them.
        for start, end in _tokens(data, prefix, least) if prefix in data else ():
            if _is_random(data[start + len(prefix) : end]):
                yield start, kind
    for pattern, kind in _UNMISTAKABLE:
        for found in re.finditer(pattern, data):
            yield found.start(), kind
    for found in re.finditer(_HEADER, data):
        if _is_random(found["value"]):
            yield found.start("value"), "authorization header"
    yield from _url_passwords(data)
    yield from _assignments(data)


def _url_passwords(data: bytes) -> Iterator[tuple[int, str]]:
    for found in re.finditer(_URL, data):
        if _is_password(found["value"]) and found["value"] != found["user"]:
            yield found.start("value"), "password in a URL"


def _tokens(data: bytes, prefix: bytes, least: int) -> Iterator[tuple[int, int]]:
    """Give start and end of each token with this prefix that is long enough."""
    pattern = re.compile(_PLAIN_RUN if prefix in _SHORT else _RUN)
    start = data.find(prefix)
    while start >= 0:
        run = pattern.match(data, start + len(prefix))
        end = run.end() if run else start + len(prefix)
        if end - start - len(prefix) >= least and _is_boundary(data, start):
            yield start, end
        start = data.find(prefix, max(end, start + 1))


def _is_boundary(data: bytes, start: int) -> bool:
    before = data[max(0, start - 2) : start]
    return not before[-1:].isalnum() or before in _ESCAPED_BREAKS


def _assignments(data: bytes) -> Iterator[tuple[int, str]]:
    for found in re.finditer(_ASSIGNMENT, data.lower(), re.VERBOSE):
        group = next(name for name in _VALUES if found[name] is not None)
        start, end = found.span(group)
        if _names_a_secret(found) and _is_password(
            data[start:end], is_bare=group == "bare"
        ):
            yield start, ASSIGNED


def _names_a_secret(found: re.Match[bytes]) -> bool:
    """Tell `api_key` from `cache_key`, and `password` from `password_hash`."""
    start = found.start()
    before = found.string[max(0, start - _LONGEST_PREFIX) : start]
    is_plain_key = found["name"] == b"key" and re.search(_NO_SECRET_KEY, before)
    return not (is_plain_key or re.search(_ABOUT_A_SECRET, found["rest"]))


def _is_password(value: bytes, *, is_bare: bool = False) -> bool:
    """Tell a value somebody chose or drew from a word, a name or a placeholder."""
    if value.lower() in _WEAK or re.search(_PLACEHOLDER, value):
        return False
    if not _mixture(value):
        return False
    has_symbol = not is_bare and re.search(rb"[!@#^&*+=?~]", value)
    if has_symbol and _entropy(value) > _LEAST_ENTROPY_SHORT:
        return True
    longest = max(map(_mixture, re.split(rb"[^A-Za-z0-9]+", value)))
    return longest >= _OPAQUE_BYTES and _is_random(value)


def _mixture(part: bytes) -> int:
    """Measure a run that has both digits and letters; words and numbers count 0."""
    has_both = re.search(rb"[0-9]", part) and re.search(rb"[A-Za-z]", part)
    return len(part) if has_both else 0


def _is_random(value: bytes) -> bool:
    """Tell what a machine drew from words: by its alphabet and its entropy."""
    is_mixed = value.upper() != value != value.lower()
    if re.search(_PLACEHOLDER, value) or not (is_mixed or re.search(rb"[0-9]", value)):
        return False
    is_short = len(value) < _SHORT_BYTES
    return _entropy(value) >= (_LEAST_ENTROPY_SHORT if is_short else _LEAST_ENTROPY)


def _entropy(value: bytes) -> float:
    """Measure the surprise in a text, in bits for each of its bytes."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


def _lines(data: bytes, hits: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Turn offsets in ascending order into line numbers, counting each line once."""
    line = 1
    for (before, _), (start, kind) in pairwise([(0, ""), *hits]):
        line += data.count(b"\n", before, start)
        yield line, kind


def _without_tokens(data: bytes, prefix: bytes, least: int) -> bytes:
    pieces, position = [], 0
    for start, end in _tokens(data, prefix, least):
        pieces += [data[position : start + len(prefix)], MASK]
        position = end
    return b"".join([*pieces, data[position:]])
