"""Credentials are drawn here, piece by piece, so that none stands in this file."""

import base64
import hashlib
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.secrets import Finding, find, in_name, mask

LETTERS = string.ascii_letters
ALNUM = string.ascii_letters + string.digits
WEB = ALNUM + "-_"
BASE64 = ALNUM + "+/"
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"


def drawn(count: int, alphabet: str = ALNUM) -> str:
    """Draw the same characters each time, as random as a digest."""
    seed = f"{count} {alphabet}"
    numbers = b"".join(
        hashlib.sha512(f"{seed} {n}".encode()).digest() for n in range(20)
    )
    return "".join(alphabet[number % len(alphabet)] for number in numbers[:count])


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def block(kind: str) -> str:
    body = "\n".join(drawn(64, BASE64) for _ in range(6))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


JWT = ".".join(
    (encoded('{"alg":"HS256"}'), encoded('{"sub":"1234567890"}'), drawn(43, WEB))
)
CREDENTIALS = [
    ("AWS access key", "AKIA" + drawn(16, UPPER)),
    ("AWS access key", "ASIA" + drawn(16, UPPER)),
    ("password or key", f'aws_secret_access_key = "{drawn(40, BASE64)}"'),
    ("password or key", f"export AWS_SECRET_ACCESS_KEY={drawn(40, BASE64)}"),
    ("GitHub token", "ghp_" + drawn(36)),
    ("GitHub token", "ghs_" + drawn(36)),
    ("GitHub token", f"github_pat_{drawn(22)}_{drawn(59)}"),
    ("GitLab token", "glpat-" + drawn(20, WEB)),
    ("Slack token", f"xoxb-{drawn(12, HEX)}-{drawn(13, HEX)}-{drawn(24)}"),
    (
        "Slack webhook",
        f"https://hooks.slack.com/services/T{drawn(8, UPPER)}/B{drawn(10, UPPER)}/"
        + drawn(24),
    ),
    ("Stripe key", "sk_live_" + drawn(24)),
    ("Stripe key", "rk_live_" + drawn(24)),
    ("OpenAI key", "sk-proj-" + drawn(74, WEB)),
    ("OpenAI key", f"sk-{drawn(20)}T3BlbkFJ{drawn(20)}"),
    ("Anthropic key", f"sk-ant-api03-{drawn(93, WEB)}AA"),
    ("Anthropic key", f"sk-ant-oat01-{drawn(93, WEB)}AA"),
    ("Google API key", "AIza" + drawn(35, WEB)),
    ("npm token", "npm_" + drawn(36)),
    ("PyPI token", "pypi-AgEIcHlwaS5vcmc" + drawn(150, WEB)),
    ("JSON web token", JWT),
    ("private key", block("RSA PRIVATE KEY")),
    ("private key", block("OPENSSH PRIVATE KEY")),
    ("private key", block("EC PRIVATE KEY").replace("\n", "\\n")),
    ("private key", block("PGP PRIVATE KEY BLOCK")),
    ("password in a URL", f"postgres://admin:{drawn(16)}@db.corp.example:5432/app"),
    ("password in a URL", f"https://deploy:{drawn(20)}@git.corp.example/o/n.git"),
    ("Azure storage key", f"AccountName=acc;AccountKey={drawn(86, BASE64)}=="),
    ("SendGrid key", f"SG.{drawn(22, WEB)}.{drawn(43, WEB)}"),
    ("Twilio key", "SK" + drawn(32, HEX)),
    ("password or key", f"TWILIO_AUTH_TOKEN={drawn(32, HEX)}"),
    ("Telegram bot token", f"{drawn(10, '123456789')}:AA{drawn(33, WEB)}"),
    ("Hugging Face token", "hf_" + drawn(34, LETTERS)),
    ("age key", "AGE-SECRET-KEY-1" + drawn(58, UPPER)),
    ("authorization header", "Authorization: Bearer " + drawn(40)),
    ("authorization header", "Authorization: Basic " + encoded("admin:" + drawn(16))),
    ("password or key", f'password = "hV9#{drawn(8)}!q"'),
    ("password or key", f"The staging password is `{drawn(14)}!x`."),
    ("password or key", f"db_password: {drawn(18)}"),
    ("password or key", f'"api_key": "{drawn(32, HEX)}"'),
    ("password or key", f"CLIENT_SECRET={drawn(40, WEB)}"),
    ("password or key", f"weather_key = {drawn(32)}"),
]
ORDINARY = [
    "Fixed in " + drawn(40, HEX) + " and " + drawn(7, HEX),
    "commit_sha: " + drawn(40, HEX),
    "id 0f8fad5b-d9cb-469f-a165-70867728950e",
    "sha256:" + drawn(64, HEX),
    "integrity sha512-" + drawn(86, BASE64) + "==",
    "![x](data:image/png;base64," + drawn(900, BASE64) + ")",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + drawn(43, BASE64) + " me@host",
    block("CERTIFICATE"),
    block("PUBLIC KEY"),
    'The file begins with "-----BEGIN RSA PRIVATE KEY-----".',
    "cache key: `v3-linux-" + drawn(64, HEX) + "`",
    "cache_key = " + drawn(64, HEX),
    "primary_key: user_account_identifier_2024",
    "password_hash: " + drawn(64, HEX),
    'ETag: "' + drawn(32, HEX) + '"',
    'api_key = "<your-token>"',
    'API_KEY="your-api-key-here"',
    "OPENAI_API_KEY=sk-" + "x" * 32,
    "export GITHUB_TOKEN=ghp_" + "x" * 36,
    "AKIA" + "IOSFODNN7EXAMPLE",
    'curl -H "Authorization: Bearer $TOKEN" https://h.example',
    "token: ${{ secrets.GITHUB_TOKEN }}",
    'password = os.environ["DB_PASSWORD_2"]',
    "def login(user: str, password: str) -> Token:",
    "token = await get_access_token(client_id, refreshToken)",
    "password = getpass.getpass('Password: ')",
    'secret = settings.get("secret_name_for_production_2")',
    "https://user:password@example.com/path",
    "postgres://postgres:postgres@localhost:5432/db",
    "Use https://<user>:<token>@github.com/o/n",
    'password: "changeme"',
    "The password is stored in the vault under deploy-production-server-2.",
    "key: person:morten.current-employment",
    "tags: [authentication, token-refresh, api-key-rotation]",
    "max_tokens=4096, Tokens: 128000",
    "risk-assessment-for-the-new-deployment-pipeline-2026",
    "monkey: banana2banana2banana2",
    "access_token_url = 'https://login.example.com/oauth2/v2.0/token'",
    "",
]


@pytest.mark.parametrize(("kind", "text"), CREDENTIALS)
def test_a_credential_is_found_by_line_and_kind(kind, text):
    assert (Finding(3, kind),) == find(f"# Notes\n\n{text}\nend\n".encode())


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_raises_no_alarm(text):
    assert () == find(text)


@pytest.mark.parametrize(("kind", "text"), CREDENTIALS)
def test_a_finding_never_carries_the_value(kind, text):
    assert not any(part in repr(find(text)) for part in text.split()[-1:])


def test_each_line_and_kind_is_told_once_and_in_order():
    token, key = "ghp_" + drawn(36), "AKIA" + drawn(16, UPPER)
    text = f"{token} {token}\nplain\ntoken = {token}\n{key} {token}\n"
    assert (
        Finding(1, "GitHub token"),
        Finding(3, "GitHub token"),
        Finding(4, "AWS access key"),
        Finding(4, "GitHub token"),
    ) == find(text)


def test_a_token_after_an_escaped_line_break_is_found():
    assert (Finding(1, "GitHub token"),) == find('"a\\nghp_' + drawn(36) + '"')


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "latin-1"])
def test_another_encoding_hides_nothing(encoding):
    data = f"é\nghp_{drawn(36)}\n".encode(encoding)
    assert (Finding(2, "GitHub token"),) == find(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_searched_without_an_error(data):
    assert all(1 <= each.line <= data.count(b"\n") + 1 for each in find(data))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("https://u:p@h/o", "https://***@h/o", id="password"),
        pytest.param("https://u:p@q@h/o", "https://***@h/o", id="password with @"),
        pytest.param("https://tok@h/o", "https://***@h/o", id="token as user"),
        pytest.param("ssh://git@h/o", "ssh://git@h/o", id="git is no secret"),
        pytest.param("git@h:o/n", "git@h:o/n", id="short form"),
        pytest.param("Authorization: Basic YTpi", "Authorization: ***", id="header"),
        pytest.param("sent Bearer abcdefgh1", "sent Bearer ***", id="bearer"),
        pytest.param("/x?token=abc&y=1", "/x?token=***&y=1", id="token parameter"),
        pytest.param("/x?key=abc&y=1", "/x?key=***&y=1", id="key parameter"),
        pytest.param('{"password": "abc"}', '{"password": "***"}', id="JSON"),
        pytest.param("got ghp_" + drawn(36) + "!", "got ghp_***!", id="token"),
        pytest.param("日本 \udcff plain", "日本 \udcff plain", id="plain text"),
        pytest.param("key: person:x", "key: person:x", id="a record's key"),
    ],
)
def test_masking(text, masked):
    assert masked == mask(text)


@pytest.mark.parametrize(
    "text", [text for kind, text in CREDENTIALS if kind != "password or key"]
)
def test_what_is_found_by_its_shape_is_masked(text):
    assert () == find(mask(text))


@given(st.text(max_size=200))
def test_any_text_is_masked_without_an_error(text):
    assert isinstance(mask(text), str)


QUARTER = 250_000
HARD = {
    "one letter": "a",
    "starts of assignments": "password=",
    "starts of quoted values": 'password = "',
    "starts of keys": "x_key=",
    "starts of blocks": "-----BEGIN PRIVATE KEY-----",
    "blocks with broken bodies": "-----BEGIN PRIVATE KEY-----" + ("a" * 39 + " ") * 8,
    "starts of tokens": "sk-",
    "starts of web tokens": "eyJ",
    "web tokens without an end": "eyJaaaaaaaaaaaa.",
    "starts of URLs": "http://a:",
    "long users": "://" + "a" * 90,
    "headers": "bearer ",
    "encoded image": "Aa0/",
    "digits": "1",
}


@pytest.mark.parametrize(
    "name",
    [
        "core/how-we-deploy-the-thing.md",
        "core/2026-02-14-a-meeting-with-Ann-and-Bob.md",
        "core/3f2504e0-4f89-11d3-9a0c-0305e82c3301.md",
        "core/" + "3f2504e04f8911d39a0c0305e82c3301" * 2 + ".md",
        "core/internationalization-and-Localization2.md",
    ],
)
def test_a_name_of_words_or_digests_is_no_credential(name):
    assert in_name(name) == ()


@pytest.mark.parametrize(
    "text", [text for kind, text in CREDENTIALS if "\n" not in text]
)
def test_a_credential_in_a_name_is_found_as_anywhere(text):
    assert {each.kind for each in in_name(f"core/{text}.md")} == {
        each.kind for each in find(f"core/{text}.md")
    }


@pytest.mark.parametrize("search", [find, mask])
@pytest.mark.parametrize("unit", HARD.values(), ids=HARD.keys())
def test_a_quarter_megabyte_on_one_line_takes_bounded_time(search, unit):
    text = unit * (QUARTER // len(unit))
    started = time.process_time()
    search(text)
    assert time.process_time() - started < 1


def test_blanks_after_a_name_take_bounded_time():
    started = time.process_time()
    assert () == find("password" + " " * QUARTER)
    assert time.process_time() - started < 1
