"""Who may ask rawdev tune for what: tokens, hosts, origins, paths, links, bodies."""
import base64
import contextlib
import http.client
import json
import os
import signal
import socket
import threading
import time

import psutil
import pytest

from batch import material
from support.checks import check, none, same
from support.program import FIXTURES, PATIENCE, run
from tune.client import Client
from tune.tune import Server, page, served

pytestmark = pytest.mark.full
SECRET = b"root:"


@pytest.fixture
def asked(bench, shoot):
    with served(bench, shoot) as server:
        yield server, Client(server)


def test_without_the_token_nothing_is_given(bench, shoot, asked):
    server, known = asked
    unknown = Client(server, cookie=False)
    paths = ["/", "/page/app.js", "/api/start", "/api/pictures?from=0&count=9", "/api/events",
             "/api/pictures/first/thumbnail", "/api/jobs/1/files/0", "/api/edits",
             "/api/recipes", f"/api/pictures/{known.ids['a.dng']}/document"]
    for path in paths:
        status, headers, body = unknown.ask("GET", path)
        same(f"{path} without a cookie", status, 403)
        check(f"{path} tells nothing", b"a.dng" not in body and "Set-Cookie" not in headers, body)
    own = [f"/api/pictures/{known.ids['a.dng']}/{what}"
           for what in ("open", "steps", "move", "save", "discard")]
    for path in (*own, "/api/save", "/api/develop", "/api/paste"):
        same(f"{path} without a cookie", unknown.status("POST", path, {}), 403)
    for token in ("", "x", server.token[:-1], server.token + "0", server.token.swapcase(), "%00"):
        status, headers, _ = unknown.ask("GET", f"/?token={token}")
        check(f"the token {token!r} is refused", status == 403 and "Set-Cookie" not in headers)
    other = {"Cookie": f"rawdev-{server.port}=" + "0" * len(server.token)}
    same("a wrong cookie is refused", unknown.status("GET", "/api/start", **other), 403)
    _, headers, _ = unknown.ask("GET", f"/?token={server.token}")
    cookie = headers["Set-Cookie"]
    check("the cookie is for this host alone, and no script's",
          all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Path=/"))
          and "Domain" not in cookie, cookie)
    check("the token is long", len(server.token) >= 22, server.token)
    same("with the cookie it is given", known.status("GET", "/api/start"), 200)
    with served(bench, shoot) as again:
        check("another server has another token", again.token != server.token)


def test_foreign_hosts_and_origins_are_refused(asked):
    server, known = asked
    steps = f"/api/pictures/{known.ids['a.dng']}/steps"
    here = f"127.0.0.1:{server.port}"
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1",
                 f"{here}.evil.example", f"127.0.0.1.evil.example:{server.port}", ""):
        check(f"Host {host!r}", known.status("GET", "/api/start", Host=host) in (400, 403))
        path = f"/?token={server.token}"
        check(f"Host {host!r} with the token", known.status("GET", path, Host=host) in (400, 403))
    same("localhost is this computer",
         known.status("GET", "/api/start", Host=f"localhost:{server.port}") in (200, 403), True)
    for origin in ("http://evil.example", "null", "http://127.0.0.1", "https://" + here,
                   f"http://{here}.evil.example", "http://localhost:1"):
        for method, path, body in (("GET", "/api/start", None),
                                   ("POST", steps, {"key": "k", "title": "t", "from": {},
                                                    "own": {"exposure": 1}})):
            same(f"{method} from the origin {origin}",
                 known.status(method, path, body, Origin=origin), 403)
    same("our own origin may", known.status("GET", "/api/start", Origin=f"http://{here}"), 200)
    text = b'{"key": "k", "title": "t", "from": {}, "own": {"exposure": 1}}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        check(f"what a form of another page sends as {kind} is refused",
              known.status("POST", steps, text, Content_Type=kind) >= 400)
    check("a form without a type, too", known.status("POST", steps, text) >= 400)


def test_nothing_was_saved_by_others(bench, asked):
    server, known = asked
    known.step("a.dng", {"exposure": 1}, Origin="http://evil.example")
    known.status("POST", "/api/save", {}, Origin="http://evil.example")
    none("no sidecar was made", [path.name for path in bench.folder.rglob("*.rawdev.yaml")])


def test_paths_do_not_lead_out(asked):
    _, known = asked
    ups = ["../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd",
           "....//....//etc/passwd", "..\\..\\etc\\passwd", "%00", "/etc/passwd", "app.js/../../x",
           "%252e%252e%252fetc%252fpasswd", "..;/etc/passwd", "app.js%00.css"]
    for prefix in ("/", "/page/", f"/api/pictures/{known.ids['a.dng']}/", "/api/jobs/1/files/",
                   "/api/pictures/"):
        for path in ups:
            status, _, body = known.ask("GET", prefix + path)
            check(f"{prefix}{path} is refused", status >= 400 and SECRET not in body,
                  [status, body[:80]])
    path, _, file = known.ids["a.dng"].partition("-")
    for number in ("-1", "0", "", "a", "..", "0%00", f"{path}-", f"-{file}", path,
                   f"{'0' * 16}-{file}", f"{path}-{'0' * 16}", f"{path}-{file}-",
                   f"+{path}-{file}", f"{file}-{path}"):
        for what in ("open", "render", "steps", "save", "state"):
            status = known.status("POST", f"/api/pictures/{number}/{what}", {
                "own": {}, "from": {"exposure": 1}, "key": "k", "title": "t", "fit": [9, 9]})
            check(f"picture {number!r}: {what}", 400 <= status < 500, status)
        check(f"thumbnail of {number!r}",
              known.status("GET", f"/api/pictures/{number}/thumbnail") >= 400)


def test_links_do_not_lead_out(bench, chromium):
    folder, elsewhere = bench.make("in"), bench.make("elsewhere")
    secret = material.raw(elsewhere / "secret.dng", FIXTURES / "sunset-linear.dng")
    material.raw(folder / "a.dng")
    (folder / "b.dng").symlink_to(secret)
    (folder / "c.dng").symlink_to("/etc/passwd")
    (folder / "deep").symlink_to(elsewhere)
    (folder / "round").symlink_to(folder)
    with served(bench, folder) as server:
        client = Client(server)
        answer = json.loads(client.ask("GET", "/api/pictures?from=0&count=99")[2])
        same("nothing of the folder behind the link is listed",
             [entry["name"] for entry in answer["pictures"]], ["a.dng", "b.dng", "c.dng"])
        ids = client.ids
        gesture = {"key": "k", "title": "t", "from": {}, "own": {"exposure": 1}}
        for number in (ids["b.dng"], ids["c.dng"]):
            for what, body in (("open", {}), ("state", {"own": {}}), ("steps", gesture),
                               ("save", {}), ("document", None),
                               ("recipe", {"own": {}, "name": "x"}), ("defaults", {"own": {}})):
                status, _, text = client.ask("POST" if body is not None else "GET",
                                             f"/api/pictures/{number}/{what}", body)
                check(f"link {number}: {what} is refused", 400 <= status < 500, [status, text[:99]])
            status, _, text = client.ask("GET", f"/api/pictures/{number}/thumbnail")
            check(f"link {number}: no thumbnail", status >= 400 and SECRET not in text, status)
        pasted = json.loads(client.ask("POST", "/api/paste",
                                       {"values": {"exposure": 1}, "ids": list(ids.values()),
                                        "key": "p", "title": "t"})[2])
        same("pasting reaches the raws of the folder alone", pasted["done"], [ids["a.dng"]])
        none("nothing is written elsewhere", [
            path.name for path in elsewhere.iterdir() if path != secret])
        # A raw that becomes a link while it is open.
        (folder / "a.dng").unlink()
        (folder / "a.dng").symlink_to(secret)
        status = client.status("POST", f"/api/pictures/{ids['a.dng']}/open", {})
        check("what becomes a link is refused", 400 <= status < 500, status)
        for name in ("../out", "/tmp/out", ".hidden", "a/b", "x.dng.rawdev", ""):
            status = client.status(
                "POST", f"/api/pictures/{ids['a.dng']}/recipe", {"own": {}, "name": name})
            check(f"no recipe is called {name!r}", status >= 400, status)


def test_paths_in_values_do_not_lead_out(bench, shoot, asked):
    _, known = asked
    cube = "LUT_3D_SIZE 2\n" + "".join(
        f"{red} {green} {blue}\n" for blue in (0, 1) for green in (0, 1) for red in (0, 1))
    outside = bench.folder / "outside.cube"
    for path in (outside, shoot / "inside.cube"):
        path.write_text(cube)
    (shoot / "link.cube").symlink_to(outside)
    size = {"fit": [64, 64]}

    raw = known.ids["a.dng"]
    address = f"/api/pictures/{raw}"

    def asks(path):
        own = {"lutPath": path}
        yield "render", known.ask("POST", f"{address}/render", {"own": own, **size})
        yield "state", known.ask("POST", f"{address}/state", {"own": own})
        yield "steps", known.step("a.dng", own)
        yield "recipe", known.ask("POST", f"{address}/recipe", {"own": own, "name": "look"})
        yield "defaults", known.ask("POST", f"{address}/defaults", {"own": own})

    for path in (str(outside), "../outside.cube", "link.cube", "/etc/passwd", "none.cube",
                 "/proc/self/environ", "inside.cube/../../outside.cube"):
        for what, (status, _, answer) in asks(path):
            same(f"{what} with {path}", status, 400)
            check("the refusal names the property", b"lutPath" in answer, answer)
            check("and nothing of the file", b"LUT" not in answer and SECRET not in answer, answer)
        status, _, answer = known.ask("POST", "/api/paste", {
            "values": {"lutPath": path}, "ids": [raw], "key": "p", "title": "t"})
        check(f"nothing is pasted with {path}", status == 200
              and json.loads(answer)["done"] == [], answer)
    none("no sidecar names a file", [each for each in shoot.rglob("*.yaml")
                                     if "lutPath" in each.read_text()])
    status, _, answer = known.ask("POST", f"{address}/render",
                                  {"own": {"lutPath": "inside.cube"}, **size})
    same("a look in the folder is taken", status, 200)
    # What a person wrote into the sidecar stays in use, wherever it is.
    (shoot / "a.dng.rawdev.yaml").write_text(f"schema: 1\nraw:\n  lutPath: {outside}\n")
    status, _, answer = known.ask("POST", f"{address}/open", {})
    own = json.loads(answer)["document"]["own"]
    status, _, answer = known.ask("POST", f"{address}/render", {"own": own, **size})
    same("that of the sidecar, too", status, 200)


def test_bodies_are_bounded_and_nonsense_harms_nothing(asked):
    server, known = asked
    json_type = {"Content_Type": "application/json"}
    bodies = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'"x"', b"[" * 100_000, b'{"own": 5}',
              b'{"own": {"exposure": "x"}}', b'{"own": {"exposure": 1e999}}',
              b'{"own": {"toneCurve": [' + b"0," * 50_000 + b"0]}}",
              b'{"part": [0, 0, 1e18, 1e18]}', b'{"own": {}, "part": [-9, -9, 0, 0]}',
              b'{"own": {}, "part": null, "fit": [1000000000, 1000000000], "form": "rgba8"}']
    address = f"/api/pictures/{known.ids['a.dng']}"
    for path in ("open", "state", "render", "light", "readout", "white", "steps", "move", "save",
                 "discard", "recipe"):
        for body in bodies:
            status = known.status("POST", f"{address}/{path}", body, **json_type)
            check(f"{path} with {body[:30]!r}", status < 500 or status == 507, status)
    for path in ("/api/paste", "/api/develop", "/api/jobs/9/cancel", "/api/nothing"):
        for body in bodies:
            status = known.status("POST", path, body, **json_type)
            check(f"{path} with {body[:30]!r}", status < 500, status)
    large = b'{"own": {"x": "' + b"y" * (64 << 20) + b'"}}'
    try:
        status = known.status("POST", f"{address}/state", large, **json_type)
        check("64 MiB are too much", status in (400, 413), status)
    except (OSError, http.client.HTTPException):
        # The server may stop to read, or hang up.
        check("64 MiB are too much", True)
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "OPTIONS"):
        check(f"{method} does nothing", known.status(method, f"{address}/save") >= 400)
    same("the server goes on", known.status("GET", "/api/start"), 200)
    check("it has not grown much", psutil.Process(server.process.pid).memory_info().rss < 2 << 30)


def test_many_connections(asked):
    server, known = asked
    links = []
    try:
        for _ in range(400):
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            try:
                link.connect()
                link.sock.sendall(b"GET /api/st")
            except OSError:
                break
            links.append(link)
    finally:
        for link in links:
            link.close()
    same("after many halves of requests whole ones are answered",
         known.status("GET", "/api/start"), 200)


def flood(port, begun, ended):
    """Connects over and over, until the servers have ended."""
    while not ended.is_set():
        with contextlib.ExitStack() as opened:
            for _ in range(20):
                one = opened.enter_context(socket.socket())
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", port))
            begun.set()
            time.sleep(0.002)


def test_ends_while_connections_come(bench, shoot):
    servers = [Server(bench, shoot) for _ in range(8)]
    begun, ended = [threading.Event() for _ in servers], threading.Event()
    floods = [threading.Thread(target=flood, args=(server.port, own, ended))
              for server, own in zip(servers, begun)]
    for each in floods:
        each.start()
    try:
        # In the middle of it.
        check("all are flooded", all(own.wait(PATIENCE) for own in begun))
        for each in servers:
            each.process.send_signal(signal.SIGINT)
        same("all end with 0", [each.process.wait(PATIENCE) for each in servers], [0] * 8)
    finally:
        ended.set()
        for each in floods:
            each.join()


def test_the_page_may_ask_nobody_else(asked):
    _, known = asked
    _, headers, body = known.ask("GET", "/")
    policy = headers["Content-Security-Policy"] or ""
    check("nothing is allowed that is not named", "default-src 'none'" in policy, policy)
    none("nothing is taken from elsewhere, nor from the text of the page",
         [word for word in ("unsafe", "http:", "https:", "*") if word in policy])
    for name, wanted in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                         ("Cache-Control", "no-store")):
        check(f"{name} is {wanted}", wanted in (headers[name] or ""), headers[name])
    check("no other page may frame it",
          "frame-ancestors 'none'" in policy or headers["X-Frame-Options"] == "DENY", policy)
    check("no address of others is in it", b"//" not in body.replace(b"<!--", b""), body[:200])


def test_only_this_computer_is_listened_to(bench, rawdev, shoot, asked):
    server, _ = asked
    listening = [each.laddr.ip for each in psutil.Process(server.process.pid).net_connections()
                 if each.status == psutil.CONN_LISTEN]
    same("it listens on the loopback interface", set(listening), {"127.0.0.1"})
    secret = bench.folder / "password"
    for options, what in [
            (["--listen", "0.0.0.0"], "beyond loopback without a password"),
            (["--listen", "0.0.0.0", "--password-file", bench.folder / "none"], "no such file"),
            (["--port", "0"], "port 0"), (["--port", "70000"], "a port that is none"),
            (["--port", str(server.port)], "a port in use")]:
        ended = bench.run("tune", shoot, "--no-open", *options)
        check(f"{what}: one line, and no server",
              ended.code not in (0, None) and ended.messages, [ended.code, *ended.messages])
    for name in ("nowhere", "empty"):
        folder = bench.folder / name
        if name == "empty":
            folder.mkdir()
        ended = bench.run("tune", folder, "--no-open")
        check(f"a folder that is {name} is one line",
              ended.code != 0 and len(ended.messages) == 1, ended.messages)
    secret.write_text("correct horse\n")
    secret.chmod(0o644)
    ended = bench.run("tune", shoot, "--no-open", "--password-file", secret)
    check("a password that others can read is refused", ended.code != 0, ended.messages)
    secret.chmod(0o600)
    with served(bench, shoot, "--password-file", secret) as other:
        client = Client(other, cookie=False)
        status, headers, _ = client.ask("GET", "/")
        check("the password is asked for", status == 401 and "WWW-Authenticate" in headers, status)
        wrong = {"Authorization": "Basic eDp3cm9uZw=="}
        same("a wrong one is refused", client.status("GET", "/", **wrong), 401)
        right = base64.b64encode(b"x:correct horse").decode()
        same("the right one is taken, without the line feed of its file",
             client.status("GET", "/", Authorization=f"Basic {right}"), 303)
        check("it is not in the address", "correct" not in other.url and not other.token, other.url)


def test_a_used_address_is_worth_nothing_afterwards(bench, chromium, shoot):
    first = Server(bench, shoot)
    with page(chromium, first.url, quiet=False) as tune:
        tune.open("a.dng")
        check("the token is not in the address bar", "token" not in tune.page.url, tune.page.url)
        first.end()
    with served(bench, shoot) as second:
        unknown = Client(second, cookie=False)
        status = unknown.status("GET", f"/?token={first.token}")
        same("the token of a server that ended", status, 403)
    environment = run("ps", "-o", "args=", "-p", str(os.getpid()))
    check("it is not among the arguments of a process", first.token.encode() not in environment)
