import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from editedfiles import OPEN, written
from headwise.errors import UsageError
from headwise.serve.server import listening, serve
from headwise.serve.settings import ServeSettings
from servers import TEXT, httpx, running, served_pipeline, settings_of, toy_model


def ask(address: str, text: str, **others: object):
    return httpx.post(f"{address}/v1/parse", json={"text": text, **others}, timeout=60)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)],
    ids=["Ctrl-C", "SIGTERM", "SIGHUP"],
)
def test_a_signal_finishes_what_was_begun(number, code):
    with running() as (address, process):
        long = " ".join([TEXT] * 2000)
        with ThreadPoolExecutor(1) as threads:
            answer = threads.submit(ask, address, long, format="conllu")
            while httpx.get(f"{address}/healthz").json()["requests"] == 0:
                assert not answer.done()
                time.sleep(0.01)
            process.send_signal(number)
            assert answer.result().text == served_pipeline()(long).conllu()
        assert process.wait(30) == code
        log = process.stderr.read()
    assert "POST /v1/parse 200" in log
    assert "Traceback" not in log
    assert "error" not in log
    assert "cat" not in log


def test_the_log_has_no_text_of_users():
    with running() as (address, process):
        httpx.get(f"{address}/process", params={"data": "secretword", "tokenizer": ""})
        httpx.get(f"{address}/secretpath")
        httpx.post(f"{address}/v1/parse", json={"conllu": "secretrow"})
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
    assert "GET /process 200" in log
    assert "POST /v1/parse 400" in log
    assert "secret" not in log


def test_workers_end_with_the_server_however_it_ends():
    with running() as (address, process):
        assert ask(address, "A.").status_code == 200
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
        ).stdout.split()
        assert children
        process.kill()
        process.wait()
        deadline = time.monotonic() + 30
        while any(is_alive(int(one)) for one in children):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_port_that_is_taken_is_an_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1, port {port}"):
            serve(settings_of(port=port))
    with pytest.raises(UsageError, match="cannot listen on no.such.host.invalid"):
        listening("no.such.host.invalid", 0)


def test_a_damaged_model_is_an_error_before_anything_is_served(tmp_path):
    folder = tmp_path / "damaged"
    folder.mkdir()
    for name in ("config.json", "weights.safetensors"):
        content = (Path(toy_model()) / name).read_bytes()
        (folder / name).write_bytes(content[:-100] if name.startswith("w") else content)
    with pytest.raises(UsageError, match="truncated"):
        serve(settings_of(models=(str(folder),)))


def test_the_examples_of_the_page_work(capsys):
    text = (Path(__file__).parents[2] / "docs" / "serve.md").read_text("utf-8")
    with running() as (address, _):
        text = text.replace("http://127.0.0.1:8765", address)
        for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            exec(compile(block, "serve.md", "exec"), {})
        out = capsys.readouterr().out
        assert re.search(r"^1 We \d \w+ \[\{'head': \d, 'probability'", out, re.MULTILINE)
        assert re.search(r"^1 0\.\d+ 2 0\.\d+\n3$", out, re.MULTILINE)
        calls = re.findall(r"^curl .*$", text, re.MULTILINE)
        assert len(calls) == 2
        if shutil.which("curl"):
            for line in calls:
                done = subprocess.run(shlex.split(line), capture_output=True, timeout=60)
                assert b"twice" in done.stdout, done


def test_the_limits_of_the_page_are_the_defaults():
    page = (Path(__file__).parents[2] / "docs" / "serve.md").read_text("utf-8")
    settings = ServeSettings()
    rows = dict(re.findall(r"^\| `--([a-z-]+)` \| (.*) \|$", page, re.MULTILINE))
    assert rows.pop("body-bytes").endswith("1 MiB")
    assert settings.body_bytes == 1 << 20
    for option, row in rows.items():
        value = getattr(settings, option.replace("-", "_"))
        assert f"{value:,g}" in row, option


def test_a_large_file_has_all_acts_however_the_server_ends(tmp_path):
    path = written(tmp_path, "".join(OPEN.replace("s1", f"x{n}") for n in range(2500)))
    journal = path.with_name(f".{path.name}.journal")
    for number, note in ((signal.SIGKILL, "one"), (signal.SIGTERM, "two")):
        with running("--edit", str(path)) as (address, process):
            seen = httpx.get(f"{address}/v1/edit/sentences/7", timeout=60).json()
            body = {"version": seen["version"], "act": "note", "note": f"{seen['note']}{note}"}
            done = httpx.post(f"{address}/v1/edit/sentences/7", json=body, timeout=60)
            assert done.status_code == 200
            assert note in journal.read_text()
            process.send_signal(number)
            process.wait()
    assert not journal.exists()
    assert path.read_text().count("# note = onetwo\n") == 1
