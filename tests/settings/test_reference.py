"""The reference page says what the model says."""

import re
from pathlib import Path

from gitmem.settings.reference import render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"
MEND = """python -c "
import re
from pathlib import Path
from gitmem.settings.reference import render
Path('docs/reference/settings.md').write_text(render(), 'utf-8')" """


def test_the_reference_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == render(), f"write it anew:\n{MEND}"


def test_the_examples_on_the_page_are_taken_as_they_are(desk):
    config, project = re.findall(r"```toml\n(.*?)```", render(), flags=re.DOTALL)
    desk.configure(config)
    desk.wish(project)

    loaded = desk.load()

    assert (loaded.problems, loaded.refused) == ((), ())
    assert loaded.settings.sync.fetch_ttl == 6 * 3600
    assert loaded.settings.delivery.budget.start == 4000
