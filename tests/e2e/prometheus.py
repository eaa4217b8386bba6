"""A real Prometheus on a free port of the loopback."""

import http.server
import json
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request


def free_port():
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        return server.server_port


class Prometheus:
    """The Debian package's program; scrapes and evaluates each second."""

    def __init__(self, folder, jobs, rules=()):
        """`jobs`: {name: [host:port]}; `rules`: paths of rules files."""
        self.folder = folder
        (folder / "p.yml").write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(path) for path in rules],
            "scrape_configs": [{"job_name": job, "static_configs": [{"targets": targets}]}
                               for job, targets in jobs.items()]}))
        self.port = free_port()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/bin/prometheus", "--config.file=p.yml", "--storage.tsdb.path=data",
             f"--web.listen-address=127.0.0.1:{self.port}"],
            cwd=self.folder, stderr=open(self.folder / "log", "a", encoding="utf-8"))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def query(self, expression):
        """The series that an instant query gives: [{"metric": labels, "value": [time, text]}]."""
        return self._ask("query", query=expression)["result"]

    def range_reply(self, expression, start, end, step):
        """The whole answer to a range query."""
        return {"status": "success", "data": self._ask("query_range", query=expression, start=start, end=end, step=step)}

    def alerts(self, name):
        """The alerts of that name that are pending or firing."""
        return [alert for alert in self._ask("alerts")["alerts"] if alert["labels"]["alertname"] == name]

    def _ask(self, what, **words):
        url = f"http://127.0.0.1:{self.port}/api/v1/{what}?{urllib.parse.urlencode(words)}"
        deadline = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(url, timeout=30) as reply:
                    return json.loads(reply.read())["data"]
            except OSError as error:  # also 503, both where it has just been started
                if isinstance(error, urllib.error.HTTPError) and error.code != 503:
                    raise AssertionError(f"{url}: {error.read().decode()[:500]}") from None
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise AssertionError(f"no Prometheus: {(self.folder / 'log').read_text()[-2000:]}") from None
                time.sleep(0.2)
