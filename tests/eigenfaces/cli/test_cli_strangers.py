"""``evaluate --share``: what a limit for strangers reached, in every form a result has."""

import json
from pathlib import Path

from cli.command_line import CROPPED, eigenfaces


def test_what_a_share_of_strangers_asked_for_reached(people: Path, tmp_path: Path) -> None:
    protocol = ("--protocol", "open-set", "--enrolled", 2, "--strangers", "25%")
    options = (*CROPPED, *protocol, "--repetitions", 3, "--no-curves")
    said = eigenfaces("evaluate", people, *options, "-o", tmp_path / "a.html").stdout
    assert "FPIR reached" in said
    assert "1 % asked" in said
    loose = eigenfaces("evaluate", people, *options, "--share", "40%", "--json")
    content = json.loads(loose.stdout)
    assert content["setting"]["share"] == 0.4
    assert [each["name"] for each in content["strangers"]["figures"]] == [
        *("FPIR reached", "DIR reached")
    ]
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "Strangers named" in page
    assert "at most 1 % may be named" in page
    refused = eigenfaces("evaluate", people, *CROPPED, "--share", 0.4)
    assert refused.exit_code == 2
    assert "--share cannot be said" in refused.stderr
    refused = eigenfaces("evaluate", people, *options, "--share", "200%")
    assert "not a share" in refused.stderr
    again = eigenfaces("repeat", tmp_path / "a.json")
    assert again.exit_code == 0
    assert "FPIR reached" in again.stdout
