"""The reference page says what the model says."""

from pathlib import Path

from gitmem.settings.reference import render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"
MEND = """python -c "
from pathlib import Path
from gitmem.settings.reference import render
Path('docs/reference/settings.md').write_text(render(), 'utf-8')" """


def test_the_reference_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == render(), f"write it anew:\n{MEND}"
