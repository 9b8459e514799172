"""Routes for correcting a file, under /v1/edit.

GET  /                  the file and its sentences
GET  /sentences/KEY     a sentence, with what is proposed for it
POST /sentences/KEY     {"version": …, "act": …, …}: an act; the sentences that it made
POST /undo, /redo       {"revision": …}
POST /measure           measure the certainty of some more sentences
POST /propose           {"kind": "all" | "trees" | "tags" | "none"}: what is proposed
POST /load              take the file as it is now
GET  /completed         the file with proposals filled in, as CoNLL-U
"""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from headwise.corpus.conllu import format_conllu
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, UsageError, quoted
from headwise.pipeline.parsing import in_batches
from headwise.review.ranking import read_ranking
from headwise.serve.editing.proposing import (
    KINDS,
    Task,
    complete_many,
    is_complete,
    measure_many,
    propose_many,
)
from headwise.serve.editing.requests import number, prepared
from headwise.serve.editing.session import Answer, Change, ClashError, Session, StaleError, Way
from headwise.serve.editing.treebankfile import ChangedFileError
from headwise.serve.editing.views import file_view, sentence_view, status_view
from headwise.serve.jobs import Work
from headwise.serve.requesterrors import RequestError, bad_request, request_error
from headwise.serve.service import Service, json_body

LOG = logging.getLogger("headwise.serve")

PAUSE_SECONDS = 3.0
"""How long nothing is done before the acts on a large file are written into it."""

KEY = re.compile(r"[0-9]{1,18}")

AT_ONCE = 800
"""Words that are measured or completed at a time: less than half a second of work."""


def open_desk(service: Service) -> "Desk":
    """The desk on which the file lies that the settings name."""
    settings = service.settings
    assert settings.edit is not None
    ranking = None if settings.ranking is None else read_ranking(settings.ranking)
    return Desk(service, Session(settings.edit, ranking=ranking))


class Desk:
    """A session, and the models that propose for it; one request is worked on at a time."""

    def __init__(self, service: Service, session: Session) -> None:
        """Make a desk."""
        self.service, self.session = service, session
        self.lock = asyncio.Lock()
        self.model = next(iter(service.models))
        self.pause: asyncio.Task[None] | None = None

    def routes(self) -> list[BaseRoute]:
        """All routes."""
        return [
            Route("/", self.show_file),
            Route("/sentences/{key}", self.show_sentence, methods=["GET"]),
            Route("/sentences/{key}", self.act, methods=["POST"]),
            Route("/undo", partial(self.reverse, "undo"), methods=["POST"]),
            Route("/redo", partial(self.reverse, "redo"), methods=["POST"]),
            Route("/measure", self.measure, methods=["POST"]),
            Route("/propose", self.propose, methods=["POST"]),
            Route("/load", self.load, methods=["POST"]),
            Route("/completed", self.completed),
        ]

    def close(self) -> None:
        """Write all into the file; where that cannot be done, the log says so."""
        try:
            self.session.close()
        except HeadwiseError as error:
            LOG.error("%s", error)

    async def ask(self, work: Work, task: Any, of: Sequence[Sentence]) -> Any:
        """The result of a job: acts need not wait for all others."""
        size = sum(len(one.text) + 1 for one in of)
        return await self.service.pool.ask(work, self.model, task, size)

    async def proposed(self, tasks: Sequence[Task]) -> list[Answer]:
        """What is proposed for some sentences."""
        return [await self.ask(propose_many, one, [one.sentence]) for one in tasks]

    async def see(self, key: int) -> dict[str, Any]:
        """A sentence, with what is proposed for it."""
        task = self.session.task(key)
        if task is not None:
            (answer,) = await self.proposed([task])
            self.session.note_answer(key, answer)
        return sentence_view(self.session, key)

    async def show_file(self, _: Request) -> Response:
        """The file."""
        async with self.lock:
            return JSONResponse(file_view(self.session))

    async def show_sentence(self, request: Request) -> Response:
        """One sentence."""
        key = key_of(request)
        async with self.lock:
            try:
                return JSONResponse(await self.see(key))
            except StaleError as error:
                raise RequestError(404, "no_such_sentence", str(error)) from None

    async def act(self, request: Request) -> Response:
        """Do an act."""
        fields, key = await fields_of(request), key_of(request)
        async with self.lock:
            try:
                self.session.check_version(key, number(fields, "version"))
                await self.see(key)
                change = prepared(self.session, key, fields)
                await self._commit(change, self.session.commit)
            except HeadwiseError as error:
                return await self.refused(error, key)
            return await self._changed(change)

    async def reverse(self, way: Way, request: Request) -> Response:
        """Undo the last act, or do again what was undone."""
        fields = await fields_of(request)
        async with self.lock:
            try:
                self.session.check_revision(number(fields, "revision"))
                change = self.session.reversal(way)
                await self._commit(change, partial(self.session.reverse, way))
            except HeadwiseError as error:
                return await self.refused(error, None)
            return await self._changed(change)

    async def _commit(
        self, change: Change, save: Callable[[Change, Sequence[Answer]], None]
    ) -> None:
        """Propose for what a change makes, and save it."""
        answers = await self.proposed(self.session.tasks(change))
        await run_in_threadpool(save, change, answers)
        if self.pause is not None:
            self.pause.cancel()
        self.pause = asyncio.create_task(self._fold_later())

    async def _fold_later(self) -> None:
        """Write a large file after a pause; what goes wrong is told at the next act."""
        await asyncio.sleep(PAUSE_SECONDS)
        self.pause = None  # from here on it is not interrupted
        with suppress(HeadwiseError):
            await run_in_threadpool(self.session.file.fold)  # acts go on meanwhile

    async def _changed(self, change: Change) -> Response:
        """The state after a change, and the sentences that it made, with their place."""
        made = [await self.see(key) for key, _ in change.new]
        where = {"place": change.place, "replaced": len(change.old)}
        return JSONResponse({"status": status_view(self.session), "sentences": made, **where})

    async def refused(self, error: HeadwiseError, key: int | None) -> Response:
        """Why nothing was changed; where that helps, with the sentence as it is now."""
        if isinstance(error, ClashError):
            return reply(422, "clash", error, clash=[list(one) for one in error.clash.constraints])
        if isinstance(error, ChangedFileError):
            return reply(409, "file_changed", error)
        if isinstance(error, StaleError):
            known = key is not None and key in self.session.keys
            now = await self.see(key) if known else None  # type: ignore[arg-type]
            return reply(409, "stale", error, sentence=now, state=status_view(self.session))
        if isinstance(error, UsageError) and str(error).startswith("cannot write"):
            return reply(507, "not_saved", error)
        raise request_error(error)

    async def measure(self, _: Request) -> Response:
        """Measure some more sentences; acts go on meanwhile, and need not wait for all of them."""
        session = self.session
        batches = in_batches(session.unmeasured(), AT_ONCE, lambda key: len(session.sentence(key)))
        keys = next(batches, [])
        sentences = [session.sentence(key) for key in keys]
        shares = await self.ask(measure_many, sentences, sentences) if keys else []
        found = {key: one for key, one in zip(keys, shares, strict=True) if key in session.keys}
        session.certainties |= found
        measured, count = len(session.certainties), len(session.keys)
        return JSONResponse({"measured": measured, "count": count, "certainties": found})

    async def propose(self, request: Request) -> Response:
        """Choose what is proposed."""
        kind = (await fields_of(request)).get("kind")
        if kind not in KINDS:
            raise bad_request(f"no kind {quoted(kind)}: choose from {', '.join(KINDS)}")
        async with self.lock:
            self.session.propose_kind(kind)
            return JSONResponse(status_view(self.session))

    async def load(self, _: Request) -> Response:
        """Take the file as it is now."""
        async with self.lock:
            try:
                await run_in_threadpool(self.session.load_again)
            except HeadwiseError as error:
                raise request_error(error) from None
            return JSONResponse(file_view(self.session))

    async def completed(self, _: Request) -> Response:
        """The file with proposals filled in, as it was when this was asked for."""
        sentences, kind = list(self.session.file.sentences), self.session.kind
        left = (place for place, one in enumerate(sentences) if not is_complete(one))
        for places in in_batches(left, AT_ONCE, lambda place: len(sentences[place])):
            tasks = [Task(sentences[place], kind) for place in places]
            found = await self.ask(complete_many, tasks, [one.sentence for one in tasks])
            for place, one in zip(places, found, strict=True):
                sentences[place] = one
        whole = "".join(await run_in_threadpool(lambda: list(format_conllu(sentences))))
        headers = {"Content-Disposition": 'attachment; filename="completed.conllu"'}
        return Response(whole, media_type="text/plain; charset=utf-8", headers=headers)


def key_of(request: Request) -> int:
    """The key of a sentence in a path."""
    key: str = request.path_params["key"]
    if not KEY.fullmatch(key):
        raise RequestError(404, "no_such_sentence", "keys of sentences are numbers")
    return int(key)


def reply(status: int, code: str, error: HeadwiseError, **more: Any) -> Response:
    """The response of an error."""
    return JSONResponse({"error": {"code": code, "message": str(error)}, **more}, status)


async def fields_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings."""
    fields = await json_body(request)
    if not isinstance(fields, dict):
        raise bad_request("a request is a JSON object")
    return fields
