"""Stands between the wandb SDK and Heddle, and fails some requests on purpose."""

import threading
import urllib.error
import urllib.request
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FaultyProxy:
    """Passes requests on. To those whose path ends with `suffix` it does the next of `faults` first:

    a status is answered in place of the server; `cut` drops the connection before the server hears of the request;
    `lost` drops it afterwards, so that the server has done what its client will ask for again.
    """

    def __init__(self, upstream: str, suffix: str) -> None:
        self.faults: deque[int | str] = deque()
        self.seen: list[int | str] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                fault = proxy.faults.popleft() if self.path.endswith(suffix) and proxy.faults else None
                if fault is not None:
                    proxy.seen.append(fault)
                if isinstance(fault, int):
                    return self.answer(fault, b"{}")
                if fault == "cut":
                    return self.drop()
                headers = {name: value for name, value in self.headers.items() if name.lower() != "content-length"}
                request = urllib.request.Request(upstream + self.path, body or None, headers, method=self.command)
                try:
                    with urllib.request.urlopen(request, timeout=60) as response:
                        status, content = response.status, response.read()
                except urllib.error.HTTPError as error:
                    status, content = error.code, error.read()
                if fault == "lost":
                    return self.drop()
                self.answer(status, content)

            do_GET = do_POST = do_PUT = pass_on

            def answer(self, status: int, content: bytes) -> None:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def drop(self) -> None:
                self.close_connection = True
                self.connection.close()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
