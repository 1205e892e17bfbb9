#!/usr/bin/env python3
"""Serves the static site on loopback, with the headers that a careful host would send.

    serve.py FOLDER [PORT]     port 0: any free one; without it 8000, or the next free one
"""
import functools
import http.server
import pathlib
import sys

POLICY = ("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
          "base-uri 'none'; form-action 'none'")
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
TYPES = {".wasm": "application/wasm", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, **TYPES}

    def end_headers(self):
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        """Requests are not logged."""


def server(folder, ports):
    """A server of the folder on the first port that is free."""
    handler = functools.partial(Handler, directory=str(folder))
    for port in ports:
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        except OSError:
            continue
    sys.exit(f"no free port among {list(ports)}")


def main():
    folder = pathlib.Path(sys.argv[1])
    if not (folder / "index.html").is_file():
        sys.exit(f"{folder}/index.html is not there: build first")
    ports = [int(sys.argv[2])] if len(sys.argv) > 2 else range(8000, 8020)
    with server(folder, ports) as serving:
        print(f"http://127.0.0.1:{serving.server_address[1]}/", flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
