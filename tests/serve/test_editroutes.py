import pytest

from editedfiles import TEXT, written
from servers import served


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    path = written(tmp_path_factory.mktemp("edited"))
    with served(edit=str(path)) as (client, _):
        yield client, path


@pytest.fixture
def desk(edited):
    """A client and the file as it was in the beginning."""
    client, path = edited
    path.write_bytes(TEXT.encode())
    assert client.post("/v1/edit/load", json={}).status_code == 200
    client.post("/v1/edit/propose", json={"kind": "all"})
    return client, path


def sentence(client, key: int = 0) -> dict:
    return client.get(f"/v1/edit/sentences/{key}").json()


def act(client, key: int = 0, **fields):
    version = sentence(client, key)["version"]
    return client.post(f"/v1/edit/sentences/{key}", json={"version": version, **fields})


def test_an_act_is_saved_and_the_rest_proposed_again(desk):
    client, path = desk
    before = sentence(client)
    head = 2 if before["words"][3]["head"] != 2 else 1
    answer = act(client, act="head", word=4, head=head).json()
    (now,) = answer["sentences"]
    assert now["words"][3]["head"] == head
    assert now["words"][3]["fixed"]["head"]
    assert not now["words"][0]["fixed"]["head"]
    assert f"4\t.\t_\t_\t_\t_\t{head}\t_" in path.read_text()
    revision = answer["status"]["revision"]
    undone = client.post("/v1/edit/undo", json={"revision": revision}).json()
    assert path.read_bytes() == TEXT.encode()
    assert undone["sentences"][0]["words"] == before["words"]
    assert client.post("/v1/edit/undo", json={"revision": revision}).status_code == 409
    again = client.post("/v1/edit/redo", json={"revision": undone["status"]["revision"]}).json()
    assert again["sentences"][0]["words"] == now["words"]


def test_a_clash_is_named_and_changes_nothing(desk):
    client, path = desk
    act(client, act="head", word=1, head=2)
    before = path.read_bytes()
    answer = act(client, act="head", word=2, head=1)
    assert answer.status_code == 422
    assert ["head", 1, 2] in answer.json()["clash"]
    assert path.read_bytes() == before
    released = act(client, act="head", word=2, head=1, without=[["head", 1, 2]])
    assert released.status_code == 200


def test_two_windows_do_not_overwrite_each_other(desk):
    client, path = desk
    version = sentence(client)["version"]
    act(client, act="note", note="first window")
    late = {"version": version, "act": "note", "note": "second window"}
    answer = client.post("/v1/edit/sentences/0", json=late)
    assert answer.status_code == 409
    assert answer.json()["sentence"]["note"] == "first window"
    assert "second" not in path.read_text()


def test_other_programs_are_not_overwritten(desk):
    client, path = desk
    sentence(client)
    path.write_bytes(TEXT.replace("cat", "dog").encode())
    answer = act(client, act="note", note="x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "file_changed")
    assert path.read_bytes() == TEXT.replace("cat", "dog").encode()
    client.post("/v1/edit/load", json={})
    assert sentence(client)["words"][1]["form"] == "dog"


def test_what_cannot_be_saved_is_not_shown_as_saved(desk, monkeypatch):
    client, path = desk

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    version = sentence(client)["version"]
    monkeypatch.setattr("headwise.corpus.output.os.fsync", full)
    answer = act(client, act="note", note="x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "not_saved")
    assert sentence(client)["version"] == version
    assert path.read_bytes() == TEXT.encode()


def test_sentences_are_checked_measured_split_and_completed(desk):
    client, path = desk
    assert act(client, act="check").json()["status"]["checked"] == 1
    assert "# checked = yes" in path.read_text()
    found = client.post("/v1/edit/measure", json={}).json()
    assert found["measured"] == found["count"] == 3
    assert all(0 <= one <= 1 for one in found["certainties"].values())
    answer = act(client, 1, act="split_sentence", word=3).json()
    assert (answer["place"], answer["replaced"]) == (1, 1)
    assert [one["key"] for one in answer["sentences"]] == [1, 3]
    assert [one["key"] for one in client.get("/v1/edit/").json()["sentences"]] == [0, 1, 3, 2]
    completed = client.get("/v1/edit/completed").text
    assert completed.count("# sent_id") == 4
    assert "\t_\t_\t_\t_\t_\t_\t_" not in completed.replace("can't", "").split("s3")[1]


@pytest.mark.parametrize(
    ("key", "body", "status"),
    [
        (0, {"version": 0}, 400),
        (0, {"act": "head"}, 400),
        (0, [], 400),
        (99, {"version": 0, "act": "check"}, 409),
        (0, {"version": "0", "act": "check"}, 400),
    ],
)
def test_what_makes_no_sense_has_the_right_status(desk, key, body, status):
    client, path = desk
    if isinstance(body, dict) and body.get("version") == 0:
        body = {**body, "version": sentence(client, 0)["version"]}
    answer = client.post(f"/v1/edit/sentences/{key}", json=body)
    assert answer.status_code == status, answer.text
    assert path.read_bytes() == TEXT.encode()


def test_there_is_no_such_sentence_and_no_such_kind(desk):
    client, _ = desk
    for key in ("99", "9" * 5000, "-1", "x"):
        assert client.get(f"/v1/edit/sentences/{key}").status_code == 404
    assert client.post("/v1/edit/propose", json={"kind": "x"}).status_code == 400
