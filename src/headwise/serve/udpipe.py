"""The REST methods of UDPipe, so that its clients work with Headwise: `/process` and `/models`.

    curl -F data=@text.txt -F tokenizer= -F tagger= -F parser= http://127.0.0.1:8765/process

A parameter without a value asks for its step. Data is raw text if there is a tokenizer, or else
what `input` says, CoNLL-U by default. Options follow the name of a format (`plaintext=…`), or are
the value of a step; as UDPipe does, those that are not known are passed over.
"""

import re
from collections.abc import Mapping

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from headwise.serve.models import ServedModel, no_such_model, stages_of
from headwise.serve.parserequest import ParseRequest, text
from headwise.serve.parsing import parse_requests
from headwise.serve.requesterrors import RequestError, bad_request
from headwise.serve.service import JSON_TYPE, media_type, service_of
from headwise.serve.settings import ServeSettings
from headwise.serve.writing import NORMALISED, UDPIPE_OUTPUTS
from headwise.storage.modelconfig import ModelInfo

STEPS = {"tokeniser": "tokenizer", "tagger": "tagger", "parser": "parser"}
"""The stages of models, as UDPipe calls them."""

FINDING_TAGS = ("neural", "neural-parts", "ensemble")
"""The kinds of parsers that find tags."""

INPUTS = ("conllu", "horizontal", "vertical")
GENERIC = "generic_tokenizer"
PREFIXES = ("", "/api")
"""Some clients add `/api` to the address of a server."""

UTF8 = re.compile(r"""charset=["']?utf-?8["']?(?=\s*(;|$))""")

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def udpipe_routes() -> list[Route]:
    """The routes of UDPipe's methods."""
    return [
        Route(prefix + path, answer, methods=["GET", "POST"])
        for prefix in PREFIXES
        for path, answer in (("/process", process), ("/models", list_models))
    ]


async def process(request: Request) -> Response:
    """Tokenise, tag and parse data."""
    service = service_of(request)
    given = {**request.query_params, **await form_of(request)}
    wanted = read_process(given, service.settings)
    model = matching_model(service.models, given.get("model"))
    body: bytes = await service.pool.ask(parse_requests, model, wanted, wanted.size)
    return Response(body, media_type=JSON_TYPE)


def list_models(request: Request) -> Response:
    """The models and their steps."""
    service = service_of(request)
    models = {name: steps_of(one.info) for name, one in service.models.items()}
    return JSONResponse({"models": models, "default_model": next(iter(models))})


def steps_of(info: ModelInfo) -> list[str]:
    """What a model can do, in the words of UDPipe; some parsers are their own taggers."""
    stages = stages_of(info)
    if stages.get("parser", {}).get("kind") in FINDING_TAGS:
        stages["tagger"] = stages["parser"]
    return [name for stage, name in STEPS.items() if stage in stages]


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, whose values may be files."""
    if request.method == "GET":
        return {}
    kind = media_type(request)
    if kind not in FORMS:
        if not kind and not await request.body():
            return {}
        raise RequestError(415, "media_type", f"send a form: {' or '.join(FORMS)}")
    check_charset(request.headers.get("content-type", ""))
    try:
        async with request.form(max_part_size=service_of(request).settings.body_bytes) as form:
            return {key: await field_text(value) for key, value in form.items()}
    except MultiPartException as error:
        raise bad_request(f"the form cannot be read: {error.message}", "bad_form") from None


def check_charset(content_type: str) -> None:
    """Refuse forms in encodings other than UTF-8; some that Python knows take minutes to decode."""
    if "charset" in UTF8.sub("", content_type.lower()):
        raise RequestError(415, "media_type", "send the form in UTF-8")


async def field_text(value: UploadFile | str) -> str:
    """The text of a field."""
    if isinstance(value, str):
        return value
    try:
        return (await value.read()).decode()
    except UnicodeDecodeError as error:
        raise bad_request(f"a file is not UTF-8, at byte {error.start + 1}", "not_utf8") from None


def read_process(given: Mapping[str, str], settings: ServeSettings) -> ParseRequest:
    """What a call of `/process` asks for."""
    if "data" not in given:
        raise bad_request("the parameter data is missing")
    output, wanted = name_and_options(given.get("output") or "conllu")
    if output == "plaintext" and NORMALISED in wanted:
        output = f"{output}={NORMALISED}"
    if f"udpipe:{output}" not in UDPIPE_OUTPUTS:
        known = ", ".join(one.removeprefix("udpipe:") for one in UDPIPE_OUTPUTS)
        raise bad_request(f"output must be one of {known}")
    kind, options = input_of(given)
    data = text(given["data"], "data must be text")
    return ParseRequest(
        kind,
        # UDPipe's own client ends the lines of a form as HTTP does, but not all of them
        data.replace("\r\n", "\n") if kind == "conllu" else data,
        own_tags="tagger" in given,
        steps="trees" if "parser" in given else "tags" if "tagger" in given else "tokens",
        ranges="ranges" in options,
        format=f"udpipe:{output}",
        longest=settings.sentence_words,
    )


def input_of(given: Mapping[str, str]) -> tuple[str, set[str]]:
    """What kind of data there is, and the options of the tokenizer, if one is asked for."""
    named, options = name_and_options(given.get("input") or "conllu")
    if "tokenizer" in given:
        options = options_of(given["tokenizer"])
    elif named != GENERIC:
        if named not in INPUTS:
            raise bad_request(f"input must be one of {', '.join(INPUTS)}, or give a tokenizer")
        return named, set()
    return "presegmented" if "presegmented" in options else "text", options


def name_and_options(value: str) -> tuple[str, set[str]]:
    """A format, and the options that follow it: `plaintext=normalized_spaces`."""
    name, _, options = value.partition("=")
    return name, options_of(options)


def options_of(value: str) -> set[str]:
    """The names of options."""
    return {one.partition("=")[0].strip() for one in value.replace(",", ";").split(";")}


def matching_model(models: Mapping[str, ServedModel], name: str | None) -> str:
    """The model that a client means: by its name, the start of it, or its language.

    Clients of UDPipe ask for `english-ewt-ud-2.15-241121`, `english` or nothing.
    """
    if not name:
        return next(iter(models))
    if name in models:
        return name
    language = name.lower().replace("_", "-").partition("-")[0]
    for own, model in models.items():
        if own.startswith(name) or language == str(model.info.about.get("language")).lower():
            return own
    raise no_such_model(models)
