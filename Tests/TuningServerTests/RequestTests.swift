import Foundation
import ImageCore
import NIOCore
import SystemPackage
import TestSupport
import Testing

@testable import TuningServer

/// The answers to requests, and the errors of invalid ones.
@Suite struct RequestTests {
  @Test func thePageIsThatOfTheFolder() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/TuningServer/Page")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(PageFiles.all.keys) == Set(names))
    for name in names {
      var text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let file = try #require(PageFiles.all[name])
      if name == "index.html" {
        // The page asks for all modules at once.
        let links = names.filter { $0.hasSuffix(".js") }.sorted()
          .map { "  <link rel=\"modulepreload\" href=\"/page/\($0)\">\n" }
        #expect(text.contains("  <!-- modules -->\n") && links.count > 50)
        text.replace("  <!-- modules -->\n", with: links.joined())
      }
      #expect(String(buffer: file.bytes) == text, "\(name)")
      #expect(file.contentType != "application/octet-stream", "\(name)")
    }
  }

  @Test func noPathLeavesThePage() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      for name in [
        "..%2f..%2fetc%2fpasswd", "../index.html", "%2e%2e/index.html", "index.html%00", "", ".",
        "index.html/x", "Index.html", "//etc/passwd",
      ] {
        let reply = try await server.get("/page/" + name)
        #expect(reply.status == 404, "\(name)")
      }
      #expect(try await server.get("/page/index.html").status == 200)
    }
  }

  @Test func theStartSaysWhatControlsThereAre() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.path) { server in
      let start = try await server.get("/api/start").json
      #expect(start["single"] as? Bool == true)
      #expect(start["count"] as? Int == 1)
      let properties = try #require(start["properties"] as? [[String: Any]])
      let groups = try #require(start["groups"] as? [[String: Any]]).compactMap {
        $0["id"] as? String
      }
      for property in properties {
        let name = property["name"] as? String ?? ""
        #expect(groups.contains(property["group"] as? String ?? ""), "\(name)")
        if property["kind"] as? String == "number" {
          let display = try #require(property["display"] as? [String: Any], "\(name)")
          #expect(Set(display.keys) == ["factor", "from", "to", "step"], "\(name)")
        }
      }
      // Groups are in the order in which properties act.
      let order = properties.compactMap { groups.firstIndex(of: $0["group"] as? String ?? "") }
      #expect(order == order.sorted())
    }
  }

  @Test func unknownPicturesAndJobsAreNotFound() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let (path, file) = (try server.id().prefix(16), try server.id().suffix(16))
      let zero = String(repeating: "0", count: 16)
      for id in [
        "1", "-1", "x", "9999999999999999999999", "0.5", "%30%30x", "\(path)", "\(path)-",
        "\(path)-\(file)-", "\(zero)-\(file)", "\(path)-\(file)0", "+\(path)-\(file)",
      ] {
        let address = "/api/pictures/\(id)"
        #expect(try await server.get(address + "/thumbnail").status == 404, "\(id)")
        for action in ["open", "state", "render", "light", "steps", "move", "save"] {
          let body = #"{"own":{},"fit":[9,9],"key":"k","title":"t","from":{"exposure":1}}"#
          let reply = try await server.post("\(address)/\(action)", body)
          #expect(reply.status == 404, "\(id) \(action)")
          #expect(reply.json["error"] is String)
        }
      }
      #expect(try await server.post("/api/jobs/7/cancel", "{}").status == 404)
      #expect(try await server.get("/api/jobs/7/files/0").status == 404)
      #expect(
        try await server.post(
          "/api/develop", #"{"ids":["\#(zero)-\#(file)"],"format":"jpeg-sdr"}"#
        )
        .status == 404)
    }
  }

  @Test(arguments: [
    "", "{", "[]", "7", #"{"fit":[1]}"#, #"{"fit":[0,9]}"#, #"{"fit":[9,1e9]}"#,
    #"{"fit":["a",9]}"#,
    #"{"fit":[20000,20000]}"#, #"{"fit":[9,9],"part":[0,0,0,0]}"#,
    #"{"fit":[9,9],"part":[-1,0,4,4]}"#,
    #"{"fit":[9,9],"form":"gif"}"#, #"{"fit":[9,9],"overlays":["all"]}"#,
    #"{"fit":[9,9],"stopsDown":5}"#, #"{"fit":[9,9],"own":[]}"#,
    #"{"fit":[9,9],"own":{"exposure":99}}"#,
  ]) func whatIsNotWellFormedIsRefused(_ body: String) async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let reply = try await server.act("render", body)
      #expect(reply.status == 400)
      #expect(reply.json["error"] is String)
      #expect(!reply.text.contains("\n"))
    }
  }

  @Test func bodiesAreBounded() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let long = #"{"own":{"x":""# + String(repeating: "a", count: 2 << 20) + #""}}"#
      for address in try [
        "/api/pictures/\(server.id())/state", "/api/pictures/\(server.id())/open", "/api/paste",
      ] {
        #expect(try await server.post(address, long).status == 413)
        let chunk = String(long.utf8.count, radix: 16) + "\r\n" + long + "\r\n0\r\n\r\n"
        let reply = try await server.post(address, chunk, ["Transfer-Encoding": "chunked"])
        #expect(reply.status == 413)
      }
      let own = ["Host": server.host, "Cookie": server.cookie] as [String: String?]
      for address in ["/api/events", "/api/pictures/first/thumbnail"] {
        let reply = try await server.send("GET", address, own, body: Array(long.utf8))
        #expect(reply.status == 400)
      }
      #expect(try await server.get("/api/start").status == 200)
    }
  }

  @Test func aPictureComesWithItsSizes() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let opened = try await server.act("open", "{}")
      #expect(opened.status == 200)
      let info = try #require(opened.json["facts"] as? [String: Any])
      #expect(info["width"] as? Int == SmallRaw.size.width)
      let reply = try await server.act("render", #"{"fit":[50,50],"own":{}}"#)
      #expect(reply.status == 200)
      let sides = (reply.fields["rawdev-size"] ?? "").split(separator: " ").compactMap { Int($0) }
      try #require(sides.count == 2)
      #expect(sides.max() == 50)
      #expect(reply.body.count == sides[0] * sides[1] * 4)
      #expect(reply.fields["rawdev-whole"] == "\(SmallRaw.size.width) \(SmallRaw.size.height)")
    }
  }

  @Test func aDamagedRawHarmsNothing() async throws {
    let raw = try SmallRaw()
    try raw.files.write(Array("no raw at all".utf8), to: "a-broken.dng")
    try await RunningServer.with(raw.folder) { server in
      let list = try await server.get("/api/pictures").json["pictures"] as? [[String: Any]] ?? []
      #expect(list.map { $0["name"] as? String } == ["a-broken.dng", "small.dng"])
      for action in ["open", "render", "light"] {
        let reply = try await server.act(action, #"{"own":{},"fit":[9,9]}"#, on: "a-broken.dng")
        #expect(reply.status == 422)
        #expect((reply.json["error"] as? String)?.contains("a-broken.dng") == true)
      }
      #expect(try await server.act("open", "{}", on: "small.dng").status == 200)
    }
  }

  @Test func aRawThatHasGoneIsNotFound() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      #expect(try await server.act("open", "{}").status == 200)
      try FileManager.default.removeItem(atPath: raw.path)
      let reply = try await server.act("render", #"{"own":{},"fit":[9,9]}"#)
      #expect((400..<500).contains(reply.status))
      #expect(reply.json["error"] is String)
    }
  }

  @Test func deepRequestsAreRefused() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      func own(_ depth: Int) -> String {
        let open = String(repeating: "[", count: depth)
        let close = String(repeating: "]", count: depth)
        return #"{"own":{"exposure":\#(open)\#(close)},"name":"deep"}"#
      }
      for target in try ["render", "snapshots"].map({ "/api/pictures/\(try server.id())/\($0)" }) {
        for depth in [63, 500, 100_000] {
          let reply = try await server.post(target, own(depth))
          #expect(reply.status == 400 && reply.code == "badRequest", "\(target) \(depth)")
          #expect((reply.json["error"] as? String ?? "").contains("nest values less"))
        }
      }
      // Stored values are nested more deeply than the request.
      #expect(try await server.act("snapshots", own(62)).status == 400)
      #expect(try await server.act("snapshots", own(59)).status == 200)
      #expect(try await server.get("/api/pictures/\(server.id())/snapshots").status == 200)
    }
  }

  @Test func pastingOpensNoRaw() async throws {
    let raw = try SmallRaw()
    try raw.files.write("This is no raw.", to: "other.dng")
    try raw.files.write("raw: {exposure: bright}", to: "third.dng.rawdev.yaml")
    try raw.files.write("This is no raw.", to: "third.dng")
    try await RunningServer.with(raw.folder) { server in
      let ids = try ["small.dng", "other.dng", "third.dng"].map(server.id)
      let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
      let reply = try await server.post(
        "/api/paste", #"{"values":{"exposure":1},"ids":[\#(list)],"key":"k","title":"t"}"#)
      #expect(reply.json["done"] as? [String] == Array(ids[..<2]))
      let failed = reply.json["failed"] as? [[String: Any]]
      #expect(failed?.count == 1 && failed?.first?["id"] as? String == ids[2])
      let written = FileManager.default.contents(atPath: raw.file("other.dng.rawdev.yaml"))
      #expect(written == Data("schema: 1\nraw:\n  exposure: 1\n".utf8))
    }
  }

  @Test func aRequestAboutAnotherPictureIsRefused() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      #expect(try await server.act("open", "{}").status == 200)
      let address = "/api/pictures/\(try server.id())"
      try raw.files.write(try SmallRaw.bytes(peak: 0.5) + [0], to: "small.dng")
      let body = #"{"own":{"exposure":1},"fit":[9,9],"key":"k","title":"t","from":{},"name":"x"}"#
      for action in ["open", "state", "render", "light", "steps", "recipe"] {
        let reply = try await server.post("\(address)/\(action)", body)
        #expect(reply.status == 409 && reply.code == "another", "\(action)")
        #expect((reply.json["error"] as? String)?.contains("small.dng") == true)
      }
      #expect(try await server.get("\(address)/thumbnail").status == 409)
      #expect(raw.names == ["small.dng"])
    }
  }

  @Test func whatTwoPagesSetAtOnceIsAsked() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      #expect(try await server.step(#"{"exposure":1}"#, key: "a").status == 200)
      #expect(try await server.step(#"{"vibrance":0.5}"#, key: "b").status == 200)
      let refused = try await server.step(#"{"exposure":2}"#, key: "c")
      #expect(refused.status == 409 && refused.code == "changed")
      #expect(refused.json["names"] as? [String] == ["exposure"])
      let own = (refused.json["edit"] as? [String: Any])?["own"] as? [String: Double]
      #expect(own == ["exposure": 1, "vibrance": 0.5])
    }
  }
}
