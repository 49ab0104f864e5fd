"""Stars, picks, XMP, and a folder whose files come and go, over HTTP."""
import json
import socket
import time

import pytest

from batch import material
from support.checks import check, same
from support.program import FIXTURES, PATIENCE
from tune.client import Client
from tune.tune import served

pytestmark = pytest.mark.full
DARKTABLE = """<?xml version="1.0" encoding="UTF-8"?>\r
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">\r
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\r
  <!-- mine -->\r
  <rdf:Description rdf:about=""\r
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"\r
    xmlns:darktable="http://darktable.sf.net/"\r
   xmp:Rating="1"\r
   darktable:xmp_version="5"/>\r
 </rdf:RDF>\r
</x:xmpmeta>\r
"""


class Marking(Client):
    def post(self, path, body):
        status, _, text = self.ask("POST", path, body)
        return status, json.loads(text)

    def list(self):
        answer = json.loads(self.ask("GET", "/api/pictures?from=0&count=999")[2])
        same("the count is that of the list", answer["count"], len(answer["pictures"]))
        return {entry["name"]: entry for entry in answer["pictures"]}

    def until(self, what, is_done):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if is_done(self.list()):
                return
            time.sleep(0.1)
        check(what, False, self.list())


@pytest.fixture
def marking(bench, shoot):
    with served(bench, shoot) as server:
        yield shoot, Marking(server)


def test_marks_are_in_the_sidecar_at_once(marking):
    shoot, client = marking
    ids = client.ids
    some = [ids["a.dng"], ids["b.dng"]]
    sidecar = material.sidecar(shoot / "a.dng")
    sidecar.write_text("# Mine.\nraw: {exposure: 1}\n")
    same("rating", client.post("/api/marks", {"ids": some, "rating": 4}),
         (200, {"done": some, "failed": []}))
    same("comments and keys stay", sidecar.read_text(),
         "# Mine.\nraw: {exposure: 1}\nrating: 4\n")
    same("a new sidecar", material.sidecar(shoot / "b.dng").read_text(), "schema: 1\nrating: 4\n")
    client.post("/api/marks", {"ids": some[1:], "pick": "rejected"})
    pictures = client.list()
    same("list", [(entry.get("rating"), entry.get("pick")) for entry in pictures.values()],
         [(4, None), (4, "rejected"), (None, None)])
    client.until("what has settings", lambda list: [
        entry["hasSettings"] for entry in list.values()] == [True, False, False])
    # An edit is saved beside them.
    client.step("b.dng", {"vibrance": 0.5})
    client.post("/api/save", {})
    text = material.sidecar(shoot / "b.dng").read_text()
    check("marks and values", all(
        line in text for line in ("rating: 4", "pick: rejected", "vibrance: 0.5")), text)
    client.post("/api/marks", {"ids": some[1:], "rating": None})
    client.post("/api/marks", {"ids": some[1:], "pick": None})
    text = material.sidecar(shoot / "b.dng").read_text()
    check("they are gone", "rating" not in text and "pick" not in text, text)


def test_what_is_no_mark_is_refused(marking):
    shoot, client = marking
    ids = [client.ids["a.dng"]]
    for body in ({"ids": ids}, {"ids": ids, "rating": 6}, {"ids": ids, "rating": -1},
                 {"ids": ids, "rating": 1.5}, {"ids": ids, "rating": "1"}, {"rating": 1},
                 {"ids": ids, "pick": "maybe"}, {"ids": ids, "pick": "picked", "rating": 1},
                 {"ids": ["a.dng"], "rating": 1}):
        same(f"{body}", client.post("/api/marks", body)[0], 400)
    check("nothing is written", not material.sidecar(shoot / "a.dng").exists())
    gone = "0123456789abcdef-0123456789abcdef"
    status, answer = client.post("/api/marks", {"ids": [gone], "rating": 1})
    same("an unknown one fails", (status, answer["done"], answer["failed"][0]["id"]),
         (200, [], gone))


def test_xmp_is_written_on_request(marking):
    shoot, client = marking
    ids = client.ids
    (shoot / "a.xmp").write_bytes(DARKTABLE.encode())
    (shoot / "c.xmp").write_text("<damaged")
    client.until("the rating of the XMP", lambda list: list["a.dng"].get("rating") == 1)
    client.post("/api/marks", {"ids": [ids["a.dng"], ids["c.dng"]], "rating": 5})
    client.post("/api/marks", {"ids": [ids["b.dng"]], "pick": "rejected"})
    same("not without a request", (shoot / "a.xmp").read_bytes(), DARKTABLE.encode())
    status, answer = client.post("/api/marks/xmp", {"ids": list(ids.values())})
    same("done", (status, [entry["id"] for entry in answer["done"]]),
         (200, [ids["a.dng"], ids["b.dng"]]))
    same("failed", [entry["id"] for entry in answer["failed"]], [ids["c.dng"]])
    same("nothing else is touched", (shoot / "a.xmp").read_bytes(),
         DARKTABLE.replace('Rating="1"', 'Rating="5"').encode())
    made = shoot / "b.dng.xmp"
    check("a new file", answer["done"][1]["path"].endswith("b.dng.xmp")
          and 'xmp:Rating="-1"' in made.read_text())
    same("a damaged one stays", (shoot / "c.xmp").read_text(), "<damaged")


def test_the_list_follows_the_folder(bench, marking):
    shoot, client = marking
    events = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
    with events, events.makefile("rb") as lines:
        events.sendall(f"GET /api/events?page=p HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
                       f"Cookie: {client.headers['Cookie']}\r\n\r\n".encode())

        def news():
            """The next event of the folder."""
            for line in lines:
                if line.startswith(b"data: ") and b'"pictures"' in line:
                    return json.loads(line[6:])
            return {}

        def listed(names):
            while (event := news()) and event["count"] != len(names):
                pass
            same("names", list(client.list()), names)

        while not lines.readline().startswith(b"data: "):
            pass
        known = client.list()
        material.raw(shoot / "aa.dng", FIXTURES / "sunset-bayer.dng")
        listed(["a.dng", "aa.dng", "b.dng", "c.dng"])
        (shoot / "b.dng").unlink()
        listed(["a.dng", "aa.dng", "c.dng"])
        same("what stays is the same", client.list()["c.dng"]["id"], known["c.dng"]["id"])
        check("what is gone is refused", 400 <= client.status(
            "POST", f"/api/pictures/{known['b.dng']['id']}/open", {}) < 500)


def test_thumbnails_show_edits(marking):
    _, client = marking
    first = client.list()["a.dng"]

    def thumbnail(entry, edit):
        query = f"&edit={entry['revision']}" if edit else ""
        status, headers, body = client.ask(
            "GET", f"/api/pictures/{entry['id']}/thumbnail?side=240{query}")
        same("thumbnail", (status, headers["Content-Type"]), (200, "image/jpeg"))
        return body

    plain, embedded = thumbnail(first, True), thumbnail(first, False)
    client.step("a.dng", {"exposure": -3})
    edited = client.list()["a.dng"]
    check("the revision is another", edited["revision"] != first["revision"])
    check("so is the thumbnail", thumbnail(edited, True) != plain)
    same("the preview is not", thumbnail(edited, False), embedded)
    client.post("/api/save", {})
    client.until("saving changes no pixel", lambda list:
                 list["a.dng"]["revision"] == edited["revision"] and list["a.dng"]["hasSettings"])


def test_opening_ends_with_its_connection(bench, alone, large):
    folder = alone(large, "0.dng").parent
    for index in range(1, 6):
        alone(large, f"{index}.dng").rename(folder / f"{index}.dng")
    with served(bench, folder) as server:
        client = Marking(server)
        ids = client.ids
        for index in range(5):
            link = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
            with link:
                link.sendall(
                    f"POST /api/pictures/{ids[f'{index}.dng']}/open HTTP/1.1\r\n"
                    f"Host: 127.0.0.1:{client.port}\r\nCookie: {client.headers['Cookie']}\r\n"
                    "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".encode())
        status, answer = client.post(f"/api/pictures/{ids['5.dng']}/open", {})
        same("the last one is opened", (status, answer["picture"]["name"]), (200, "5.dng"))
        status, answer = client.post(f"/api/pictures/{ids['0.dng']}/open", {})
        same("one that was passed can be opened", (status, answer["picture"]["name"]),
             (200, "0.dng"))


def test_a_cut_file_is_flagged(bench, shoot):
    source = (shoot / "a.dng").read_bytes()
    (shoot / "d.dng").write_bytes(source[:len(source) * 3 // 4])
    with served(bench, shoot) as server:
        client = Marking(server)
        client.until("its problem", lambda list: "problem" in list["d.dng"])
        same("no other has one", [name for name, entry in client.list().items()
                                  if "problem" in entry], ["d.dng"])
