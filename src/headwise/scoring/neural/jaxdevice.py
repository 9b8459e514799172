"""JAX, if it is installed, on the device that was chosen."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from headwise.errors import UsageError

INSTALL = "pip install 'headwise[neural]'"


def has_jax() -> bool:
    """Whether networks can be trained here."""
    return find_spec("jax") is not None and find_spec("jaxlib") is not None


@contextmanager
def on_device(name: str) -> Iterator[None]:
    """Compute on `cpu`, on `cuda`, or (`auto`) on an accelerator if there is one."""
    if not has_jax():
        raise UsageError(
            f"a neural parser is trained with JAX, which is not installed: {INSTALL}; or train a "
            "linear one (--scorer linear)"
        )
    import jax

    with jax.default_device(device_called(name)):
        yield


def device_called(name: str) -> Any:
    """The device of JAX of this name; the best one if it is `auto`."""
    import jax

    try:
        return jax.devices(None if name == "auto" else name)[0]
    except RuntimeError as error:
        raise UsageError(
            f"device={name}: JAX finds no such device here ({str(error).splitlines()[0]}); "
            "install JAX for it (pip install 'jax[cuda13]'), or use device=cpu"
        ) from None


def accelerator(name: str) -> Any | None:
    """What `cuda` or `auto` stands for in parsing; None if `auto` finds no accelerator."""
    if has_jax():
        device = device_called(name)
        return None if device.platform == "cpu" else device
    if name == "auto":
        return None
    raise UsageError(
        f"device={name}: networks are computed there with JAX, which is not installed: "
        f"{INSTALL} 'jax[cuda13]'; or use device=cpu"
    )
