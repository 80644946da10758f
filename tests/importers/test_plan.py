"""What becomes of a find, given what is here already."""

import unicodedata
from pathlib import Path, PurePosixPath

import pytest
from conftest_importers import *  # noqa
