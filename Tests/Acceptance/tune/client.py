"""Requests to a running rawdev tune."""
import http.client
import json


class Client:
    """Requests as any program can make them."""

    def __init__(self, server, cookie=True):
        self.port = server.port
        self.headers = {}
        if cookie:
            status, headers, _ = self.ask("GET", f"/?token={server.token}")
            assert status in (302, 303, 307), status
            self.headers = {"Cookie": headers["Set-Cookie"].partition(";")[0]}

    def ask(self, method, path, body=None, **headers):
        """Status, headers and body of the answer."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, bytes):
            body, names = json.dumps(body).encode(), {"Content-Type": "application/json"} | names
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            # A given Host replaces that of the connection; the path goes as it is.
            link.putrequest(method, path, skip_host="Host" in names, skip_accept_encoding=True)
            for name, value in (self.headers | names).items():
                link.putheader(name, value)
            if body is not None:
                link.putheader("Content-Length", str(len(body)))
            link.endheaders(body)
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            link.close()

    def status(self, *words, **more):
        return self.ask(*words, **more)[0]

    @property
    def ids(self):
        """The identities of the pictures, by their names."""
        entries = json.loads(self.ask("GET", "/api/pictures?from=0&count=999")[2])["pictures"]
        return {entry["name"]: entry["id"] for entry in entries}

    def step(self, name, own, **more):
        """Sets the values of a picture that has none, as a gesture of a page."""
        body = {"key": "k", "title": "t", "from": {}, "own": own}
        return self.ask("POST", f"/api/pictures/{self.ids[name]}/steps", body, **more)
