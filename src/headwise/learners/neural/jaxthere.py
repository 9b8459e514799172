"""JAX, if it is installed, on the device that was chosen."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

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

    try:
        device = jax.devices(None if name == "auto" else name)[0]
    except RuntimeError as error:
        raise UsageError(
            f"device={name}: JAX finds no such device here ({str(error).splitlines()[0]}); "
            "install JAX for it (pip install 'jax[cuda13]'), or use device=cpu"
        ) from None
    with jax.default_device(device):
        yield
