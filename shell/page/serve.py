#!/usr/bin/env python3
"""Serves a folder on loopback as the page is meant to be served: right types, compressed, strict policy, nothing cached.

    serve.py FOLDER [PORT] [--prefix /a/b/]
"""
import argparse
import functools
import http
import http.server
import pathlib
import sys
import urllib.parse

# As the site's own _headers (assemble.py).
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob: data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".html": "text/html; charset=utf-8",
        ".webmanifest": "application/manifest+json",
    }
    protocol_version = "HTTP/1.1"

    def __init__(self, *args, prefix="/", quiet=False, policy=POLICY, **kwargs):
        self.prefix, self.quiet, self.policy = prefix, quiet, policy
        super().__init__(*args, **kwargs)

    def end_headers(self):
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def translate_path(self, path):
        path = urllib.parse.urlsplit(path).path
        if not path.startswith(self.prefix):
            return str(pathlib.Path(self.directory) / "no such file")
        return super().translate_path("/" + path[len(self.prefix) :])

    def send_head(self):
        """The compressed copy of a file where the browser takes it and it is not older than the file."""
        path = pathlib.Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        packed = path.with_name(path.name + ".br")
        takes = "br" in self.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
        if not (takes and path.is_file() and packed.is_file() and packed.stat().st_mtime >= path.stat().st_mtime):
            return super().send_head()
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "br")
        self.send_header("Content-Length", str(packed.stat().st_size))
        self.end_headers()
        return packed.open("rb")

    def log_message(self, format, *args):  # noqa: A002 - the base class names it so
        if not self.quiet:
            super().log_message(format, *args)


def make_server(folder, port=0, prefix="/", quiet=True, policy=POLICY):
    """A server on loopback; port 0 takes a free one."""
    handler = functools.partial(Handler, directory=str(folder), prefix=prefix, quiet=quiet, policy=policy)
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("port", type=int, nargs="?", default=8000)
    parser.add_argument("--prefix", default="/")
    args = parser.parse_args()
    try:
        server = make_server(args.folder, args.port, args.prefix, quiet=False)
    except OSError as error:
        sys.exit(f"port {args.port} cannot be had ({error.strerror}): name another, ./dev serve PORT")
    with server:
        print(f"http://127.0.0.1:{server.server_address[1]}{args.prefix}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
