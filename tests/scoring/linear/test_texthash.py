"""Hashes of text."""

import subprocess
import sys

from headwise.scoring.linear.texthash import hash_text


def test_hashes_are_the_same_in_every_process():
    code = "from headwise.scoring.linear.texthash import hash_text; print(hash_text('Baum'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == hash_text("Baum")
