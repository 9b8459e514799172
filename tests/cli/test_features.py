"""`headwise features` as a person uses it."""

import json

from commandcalls import call


def test_features_can_be_listed_and_read_back(tmp_path, capsys):
    code, out, _ = call("features", capsys=capsys)
    assert code == 0
    assert "distance h.tag m.tag counts" in out.splitlines()
    mine = tmp_path / "mine.txt"
    mine.write_text(out)
    assert call("features", mine, capsys=capsys)[1] == out
    assert len(json.loads(call("features", "--json", capsys=capsys)[1])) == len(out.splitlines())
    mine.write_text("plain h.tga\n")
    code, _, err = call("features", mine, capsys=capsys)
    assert code == 1
    assert f"{mine}:1: 'h.tga' is not an atom" in err
    assert call("features", "nothing", capsys=capsys)[0] == 2
