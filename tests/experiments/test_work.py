"""What is missing is done, once; what was cut short goes on; other data is noticed."""

import pytest
from smallworlds import TEXT, finished, small_world

from headwise.errors import FormatError, UsageError
from headwise.experiments.formats import to_markdown
from headwise.experiments.table import table_of
from headwise.experiments.work import Work


def test_what_is_done_is_not_done_again(world):
    work = Work.of_file(world)
    assert work.tasks() == []
    assert work.absent == (work.absent[0],)
    assert "licensed: no train" in work.absent[0]
    names = sorted(path.name for path in (world.parent / "results").iterdir())
    assert len(names) == 8
    assert sum(name.endswith(".counts.npz") for name in names) == 4


def test_without_treebanks_what_was_done_is_shown(world):
    work = Work.of_file(world, look=False)
    assert work.tasks() == []
    assert to_markdown(table_of(work)) == to_markdown(table_of(Work.of_file(world)))


def test_other_data_under_the_same_name_is_refused(world, tmp_path):
    other = small_world(tmp_path)
    with (tmp_path / "bank/dev.conllu").open("a") as stream:
        stream.write("\n")
    with pytest.raises(UsageError, match="is for another dev file of toy"):
        Work.of_file(other, results=world.parent / "results").tasks()


def test_only_a_treebank_that_is_there(world):
    with pytest.raises(UsageError, match="licensed: no train"):
        Work.of_file(world, only=["licensed"])
    with pytest.raises(UsageError, match="'toys' is unknown"):
        Work.of_file(world, only=["toys"])


def test_a_folder_that_is_not_there_is_an_error(world):
    nowhere = world.parent / "nowhere"
    told = rf"no such treebank folder: {nowhere}; set the folder with --treebanks"
    with pytest.raises(UsageError, match=told):
        Work.of_file(world, folders=[world.parent, nowhere])
    world.with_name("lost.toml").write_text(f'folder = "nowhere"\n{TEXT}', "utf-8")
    with pytest.raises(UsageError, match=told):
        Work.of_file(world.with_name("lost.toml"))
    with pytest.raises(
        UsageError, match="toy: no train .* in .*bank; set the folder with --treebanks"
    ):
        Work.of_file(world, folders=[world.parent / "bank"])
    assert len(Work.of_file(world, folders=[nowhere], look=False).rows()) == 2


def test_results_without_counts_are_made_anew_where_they_are_tested(tmp_path):
    path = small_world(tmp_path, TEXT.replace("[0, 1]", "[0]"))
    work = finished(path)
    counts = next((tmp_path / "results").glob("*.counts.npz"))
    counts.unlink()
    older = counts.with_name(counts.name.replace(".counts.npz", ".json"))
    older.rename(older.with_name("of-an-older-name.json"))
    assert len(Work.of_file(path).tasks()) == 1
    assert table_of(work.reread()).rows[1].cells[2].mean is None
    assert table_of(finished(path)).rows[1].cells[2].mean is not None
    assert len(list(older.parent.iterdir())) == 4


def test_a_result_that_is_no_json_is_named(tmp_path):
    path = small_world(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "toy-x.json").write_text("{")
    with pytest.raises(FormatError, match="toy-x.json: is not JSON"):
        Work.of_file(path).tasks()
