import os
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from headwise.errors import UsageError
from headwise.serve.server import listening, serve
from servers import TEXT, httpx, running, served_pipeline, settings_of, toy_model


def ask(address: str, text: str, **others: object):
    return httpx.post(f"{address}/v1/parse", json={"text": text, **others}, timeout=60)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"]
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
