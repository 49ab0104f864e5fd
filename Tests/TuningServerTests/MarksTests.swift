import Foundation
import TestSupport
import Testing

@testable import TuningServer

/// Stars and picks, and what the list says of pictures.
@Suite struct MarksTests {
  private func entry(_ server: RunningServer) async throws -> [String: Any] {
    let list = try await server.get("/api/pictures").json["pictures"] as? [[String: Any]]
    return try #require(list?.first)
  }

  private func sidecar(_ raw: SmallRaw) -> String? {
    FileManager.default.contents(atPath: raw.file("small.dng.rawdev.yaml"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func marksAreSetAndRemoved() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let id = try server.id()
      func mark(_ change: String) async throws -> Reply {
        try await server.post("/api/marks", #"{"ids":["\#(id)"],\#(change)}"#)
      }
      #expect(try await mark(#""rating":3"#).json["done"] as? [String] == [id])
      #expect(try await mark(#""pick":"picked""#).status == 200)
      #expect(sidecar(raw) == "schema: 1\nrating: 3\npick: picked\n")
      let marked = try await entry(server)
      #expect(marked["rating"] as? Int == 3 && marked["pick"] as? String == "picked")
      #expect(marked["hasSettings"] as? Bool == false)
      #expect(try await mark(#""rating":null"#).status == 200)
      #expect(try await mark(#""pick":null"#).status == 200)
      #expect(sidecar(raw) == nil)
      let plain = try await entry(server)
      #expect(plain["rating"] == nil && plain["pick"] == nil)
    }
  }

  @Test(arguments: [
    "{}", #"{"ids":[]}"#, #"{"ids":["x"],"rating":1}"#, #"{"ids":[],"rating":6}"#,
    #"{"ids":[],"rating":1,"pick":null}"#, #"{"ids":[],"pick":"best"}"#, #"{"rating":1}"#,
    #"{"ids":[],"rating":"1"}"#, #"{"ids":7,"rating":1}"#,
  ]) func whatIsNoMarkIsRefused(_ body: String) async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let reply = try await server.post("/api/marks", body)
      #expect(reply.status == 400 && reply.code == "badRequest")
    }
  }

  @Test func anXMPIsWrittenOnRequest() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let ids = #"{"ids":["\#(try server.id())"]"#
      let nothing = try await server.post("/api/marks/xmp", ids + "}")
      let first = (nothing.json["done"] as? [[String: Any]])?.first
      #expect(first?["id"] != nil && first?["path"] == nil)
      #expect(raw.names == ["small.dng"])
      _ = try await server.post("/api/marks", ids + #","pick":"rejected"}"#)
      let written = try await server.post("/api/marks/xmp", ids + "}")
      let path = (written.json["done"] as? [[String: Any]])?.first?["path"] as? String
      #expect(path?.hasSuffix("small.dng.xmp") == true)
      let xmp = FileManager.default.contents(atPath: raw.file("small.dng.xmp")) ?? Data()
      #expect(String(decoding: xmp, as: UTF8.self).contains("xmp:Rating=\"-1\""))
    }
  }

  @Test func thumbnailsShowEdits() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      func thumbnail() async throws -> Reply {
        let revision = try #require(try await entry(server)["revision"] as? String)
        return try await server.get(
          "/api/pictures/\(server.id())/thumbnail?side=64&edit=\(revision)")
      }
      let plain = try await thumbnail()
      #expect(plain.status == 200 && plain.fields["content-type"] == "image/jpeg")
      _ = try await server.step(#"{"exposure":-3}"#)
      #expect(try await entry(server)["hasSettings"] as? Bool == true)
      #expect(try await thumbnail().body != plain.body)
      // What is open shows its edits, too.
      #expect(try await server.act("open", "{}").status == 200)
      _ = try await server.act(
        "steps", #"{"key":"l","title":"t","from":{"exposure":-3},"own":{"exposure":-2}}"#)
      #expect(try await thumbnail().status == 200)
    }
  }
}
