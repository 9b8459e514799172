"""`headwise serve`: parse over HTTP, and in a browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli import INTERRUPTED
from headwise.errors import UsageError

if TYPE_CHECKING:
    from headwise.serve.settings import ServeSettings

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        help="Model folder, or name of a bundled model; repeat it for several, the default first "
        "[default: the bundled models].",
    ),
]


def serve(
    model: Models = None,
    edit: Annotated[Path | None, typer.Option(help="CoNLL-U file to correct.")] = None,
    ranking: Annotated[
        Path | None,
        typer.Option(help="Suspicious values of that file, written by `headwise review -o`."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 for any free one.")] = 8765,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="HEADWISE_TOKEN",
            help="Token that requests must bring (Authorization: Bearer …).",
        ),
    ] = None,
    is_open: Annotated[
        bool,
        typer.Option(
            "--open", help="Let everyone who can reach the address use it without a token."
        ),
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Further name that the server may be called by; repeat it for several."),
    ] = None,
    body_bytes: Annotated[int, typer.Option(help="Longest body of a request, in bytes.")] = 1 << 20,
    sentence_words: Annotated[int, typer.Option(help="Longest sentence, in words.")] = 500,
    seconds: Annotated[float, typer.Option(help="Longest time for a request, in seconds.")] = 30.0,
    queue: Annotated[
        int, typer.Option(help="Requests that may wait; more are answered with status 429.")
    ] = 256,
    connections: Annotated[int, typer.Option(help="Connections open at a time.")] = 1024,
    kbest: Annotated[int, typer.Option(help="Most trees per sentence.")] = 100,
    workers: Annotated[
        int, typer.Option(help="Number of processes that parse, each with the models in memory.")
    ] = 1,
) -> None:
    """Serve the workbench, a page to look at trees and correct them, and parsing over HTTP.

    Only this machine can reach it unless `--host` names another address, which requires a token.
    Ctrl-C finishes requests that were begun.

    Example: `headwise serve`, then open the address that it prints in a browser
    """
    from headwise.serve.settings import ServeSettings

    settings = ServeSettings(
        models=tuple(model or ()),
        edit=None if edit is None else str(edit),
        ranking=None if ranking is None else str(ranking),
        host=host,
        port=port,
        token=token,
        is_open=is_open,
        allowed_hosts=tuple(allow_host or ()),
        body_bytes=body_bytes,
        sentence_words=sentence_words,
        seconds=seconds,
        queue=queue,
        connections=connections,
        kbest=kbest,
        workers=workers,
    )
    settings.check()
    try:
        run(settings)
    except KeyboardInterrupt:  # how a server is meant to be ended: nothing to complain of
        raise typer.Exit(INTERRUPTED) from None


def run(settings: "ServeSettings") -> None:
    """Serve, once what that requires is imported."""
    try:
        from headwise.serve.server import serve
    except ModuleNotFoundError as error:
        raise UsageError(f"serving requires {error.name}: pip install 'headwise[serve]'") from None
    serve(settings, lambda address: typer.echo(f"Headwise is at {address} (Ctrl-C ends it)"))
