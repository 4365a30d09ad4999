"""The dashboard at `/`: a page whose files were built into the package; see `dashboard/` and `hatch_build.py`."""

from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import nacre

WEB = Path(nacre.__file__).parent / "web"
# Everything comes from this server. The layout of the graph is computed in a worker that the page writes itself.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Nacre</title>
<h1>The dashboard is not built</h1>
<p>This is a source tree without it. <code>pip install --editable .</code> builds it.
The API is described at <a href="docs">/docs</a>.</p></html>
"""


class Assets(StaticFiles):
    """Files whose names change with their content, so a browser need never ask for one twice."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, to be kept for a year."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def install(app: FastAPI) -> None:
    """Serve the page of `app` and what it loads."""
    app.add_route("/", page, include_in_schema=False)
    app.add_route("/nacre.svg", icon, include_in_schema=False)
    app.mount("/assets", Assets(directory=WEB / "assets", check_dir=False))


def page(_request: Request) -> Response:
    """The page; it asks this server for everything and nobody for anything else."""
    if not (WEB / "index.html").is_file():
        return HTMLResponse(NOT_BUILT, status_code=404, headers=HEADERS)
    return FileResponse(WEB / "index.html", headers=HEADERS)


def icon(_request: Request) -> Response:
    """The page's icon."""
    return FileResponse(WEB / "nacre.svg", headers=HEADERS)
