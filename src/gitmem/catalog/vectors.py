"""Turn texts into vectors; the only module that speaks to the extra's libraries.

A model is a folder of the person's. `model.onnx` beside `tokenizer.json` is a sentence
model; `vectors.txt` has a word and its numbers on each line and needs no extra.
A vector is a byte a dimension: its length says nothing, only where it points.
"""

import hashlib
import math
import operator
import re
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from gitmem.errors import SettingsError, ToolMissing

if TYPE_CHECKING:
    import numpy as np

SENTENCES: Final = ("model.onnx", "tokenizer.json")
WORDS: Final = ("vectors.txt",)
# What the small sentence models were trained with.
MOST_TOKENS: Final = 256
CHUNK: Final = 8_192
_LARGEST: Final = 127
_WORD: Final = re.compile(r"\w+")


class Model(Protocol):
    """Makes vectors; `key` is another one when the model is."""

    key: str

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Give the vector of each text; empty where it has nothing of one."""


def opened(folder: Path) -> Model:
    """Open the model in a folder; nothing large is read yet.

    Raises SettingsError where there is none, and ToolMissing without the extra.
    """
    for names, kind in ((SENTENCES, _Sentences), (WORDS, _Words)):
        files = [folder / name for name in names]
        if all(file.is_file() for file in files):
            return kind(files)
    raise SettingsError(
        f"There is no model in {folder}.",
        "Put model.onnx and tokenizer.json there, or vectors.txt, or unset "
        "search.semantic.",
    )


def alike(vector: bytes, others: bytes) -> list[float]:
    """Give the cosine with each of the vectors that are laid end to end."""
    try:
        import numpy as np  # of the extra
    except ImportError:
        return list(_alike_slowly(vector, others))
    wanted = np.frombuffer(vector, np.int8).astype(np.float32)
    rows = np.frombuffer(others, np.int8).reshape(-1, len(vector))
    found: list[float] = []
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK].astype(np.float32)
        lengths = np.sqrt((part * part).sum(axis=1)) * np.sqrt((wanted * wanted).sum())
        found += (part @ wanted / np.maximum(lengths, 1)).tolist()
    return found


def _alike_slowly(vector: bytes, others: bytes) -> Iterator[float]:
    wanted, size = array("b", vector), len(vector)
    length = math.hypot(*wanted)
    for start in range(0, len(others), size):
        other = array("b", others[start : start + size])
        product = sum(map(operator.mul, wanted, other))
        yield product / max(length * math.hypot(*other), 1)


class _Sentences:
    """Runs a sentence model, and takes the mean over its tokens."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.key = _key(files)
        self._files = files
        self._loaded: tuple[Any, Any] | None = None

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        session, tokenizer = self._loaded or self._load()
        import numpy as np  # of the extra

        cut = tokenizer.encode_batch([text or " " for text in texts])
        mask = np.array([each.attention_mask for each in cut], np.int64)
        known = {
            "input_ids": np.array([each.ids for each in cut], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        wanted = {each.name: known[each.name] for each in session.get_inputs()}
        states = session.run(None, wanted)[0]
        weights = mask[..., None]
        means = (states * weights).sum(axis=1) / weights.sum(axis=1)
        if not np.isfinite(means).all():
            raise _unusable(self._files[0].parent)
        return [_packed(mean) for mean in means]

    def _load(self) -> tuple[Any, Any]:
        try:
            import onnxruntime  # heavy: 110 ms
            from tokenizers import Tokenizer  # of the extra
        except ImportError as error:
            raise ToolMissing(
                f"search.semantic needs a library that is not here: {error.name}.",
                "Install it with `pip install 'gitmem[semantic]'`, or unset "
                "search.semantic.",
            ) from error
        try:
            tokenizer = Tokenizer.from_file(str(self._files[1]))
            session = onnxruntime.InferenceSession(str(self._files[0]))
        except Exception as error:  # the libraries raise classes of their own
            raise _unusable(self._files[0].parent) from error
        tokenizer.enable_truncation(MOST_TOKENS)
        tokenizer.enable_padding()
        self._loaded = session, tokenizer
        return self._loaded


class _Words:
    """Takes the mean over the words that it knows."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.key = _key(files)
        self._file = files[0]
        self._known: dict[str, array[float]] = {}

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        self._known = self._known or self._read()
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        words = _WORD.findall(text.casefold())
        found = [self._known[word] for word in words if word in self._known]
        if not found:
            return b""
        return _packed([sum(column) for column in zip(*found, strict=True)])

    def _read(self) -> "dict[str, array[float]]":
        known: dict[str, array[float]] = {}
        try:
            with self._file.open(encoding="utf-8") as lines:
                for line in lines:
                    word, *numbers = line.split()
                    # A first line that counts words and dimensions is no word.
                    if len(numbers) > 1:
                        known[word.casefold()] = _finite(numbers)
        except (OSError, ValueError) as error:
            raise _unusable(self._file.parent) from error
        if len({len(each) for each in known.values()}) != 1:
            raise _unusable(self._file.parent)
        return known


def _finite(numbers: Sequence[str]) -> "array[float]":
    """Read numbers. Raises ValueError where one is none, or leads nowhere."""
    found = array("f", map(float, numbers))
    if not all(map(math.isfinite, found)):
        raise ValueError("a number of a vector is not finite")
    return found


def _packed(numbers: "Sequence[float] | np.ndarray[Any, Any]") -> bytes:
    largest = max(map(abs, numbers)) or 1.0
    scaled = (_LARGEST * float(number) / largest for number in numbers)
    return array("b", map(round, scaled)).tobytes()


def _key(files: Sequence[Path]) -> str:
    """Tell one model from another, and from itself before it was replaced."""
    found = [(file.name, file.stat()) for file in files]
    looks = [(name, seen.st_size, seen.st_mtime_ns) for name, seen in found]
    return hashlib.blake2b(repr(looks).encode(), digest_size=8).hexdigest()


def _unusable(folder: Path) -> SettingsError:
    return SettingsError(
        f"The model in {folder} cannot be used.",
        "Put a whole one there, or unset search.semantic.",
    )
