"""What the routes of a server share."""

import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request

from headwise.serve.models import ServedModel
from headwise.serve.requesterrors import RequestError, bad_request
from headwise.serve.settings import ServeSettings
from headwise.serve.workers import WorkerPool

JSON_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Service:
    """Settings, the models by name, the default first, and the workers."""

    settings: ServeSettings
    models: dict[str, ServedModel]
    pool: WorkerPool


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


async def json_body(request: Request) -> Any:
    """The JSON that a request brings."""
    if media_type(request) != JSON_TYPE:
        raise RequestError(415, "media_type", f"send JSON: Content-Type: {JSON_TYPE}")
    try:
        return json.loads((await request.body()).decode(), parse_constant=refuse_constant)
    except UnicodeDecodeError as error:
        raise bad_request(f"the body is not UTF-8, at byte {error.start + 1}", "not_utf8") from None
    except (ValueError, RecursionError):
        raise bad_request("the body is not JSON", "not_json") from None
    except ClientDisconnect:
        raise bad_request("the client has gone") from None


def refuse_constant(name: str) -> None:
    """Refuse NaN and infinities, which JSON does not have."""
    raise ValueError(name)


def media_type(request: Request) -> str:
    """What a request says its body is."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
