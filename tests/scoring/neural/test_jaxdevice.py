"""Which device a name stands for; there is no accelerator where this is tested."""

import pytest

from headwise.errors import UsageError
from headwise.scoring.neural import jaxdevice
from headwise.scoring.neural.jaxdevice import accelerator, on_device


@pytest.fixture
def without_jax(monkeypatch):
    monkeypatch.setattr(jaxdevice, "find_spec", lambda _: None)


@pytest.mark.usefixtures("without_jax")
def test_without_jax_the_command_that_installs_it_is_named():
    with pytest.raises(
        UsageError, match=r"pip install 'headwise\[neural\]' 'jax\[cuda13\]'; or use"
    ):
        accelerator("cuda")
    assert accelerator("auto") is None
    with pytest.raises(
        UsageError, match=r"not installed: pip install 'headwise\[neural\]'; or train"
    ):
        on_device("auto").__enter__()


def test_an_accelerator_that_is_not_there():
    jax = pytest.importorskip("jax", reason="accelerators need JAX (the extra neural)")
    if jax.devices()[0].platform != "cpu":
        pytest.skip("there is one")
    with pytest.raises(UsageError, match=r"no such device here .*'jax\[cuda13\]'.* device=cpu"):
        accelerator("cuda")
    assert accelerator("auto") is None


def test_training_computes_on_the_device_of_its_name():
    jax = pytest.importorskip("jax", reason="training needs JAX (the extra neural)")
    with on_device("cpu"):
        assert jax.numpy.zeros(1).device.platform == "cpu"
