import Foundation
import SystemPackage
import TestSupport
import Testing
import Tuning

@testable import TuningServer

/// Files made of pictures.
@Suite struct DevelopTests {
  @Test func goodRawsAreDevelopedAndBadOnesNamed() async throws {
    let raw = try SmallRaw()
    try raw.files.write(Array("no raw".utf8), to: "bad.dng")
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      let begun = try await server.post(
        "/api/develop",
        """
        {"ids":["\(server.id("bad.dng"))","\(server.id("small.dng"))"],"format":"png-sdr",\
        "options":{"maxSize":40}}
        """)
      let job = try #require(begun.json["job"] as? Int)
      let all = try await events.read(until: #""state":"done""#)
      #expect(all.contains("bad.dng"))
      #expect(all.contains("developed/small.png"))
      let file = try await server.get("/api/jobs/\(job)/files/0")
      #expect(file.fields["content-type"] == "image/png")
      let written = try Data(contentsOf: URL(fileURLWithPath: raw.file("developed/small.png")))
      #expect(Data(file.body) == written)
      #expect(try await server.get("/api/jobs/\(job)/files/1").status == 404)
    }
  }

  @Test func valuesOfTheJournalGiveWhatTheSavedOnesGive() async throws {
    let raw = try SmallRaw()
    // What the sidecar gives and the page does not is not applied, as after saving.
    try raw.files.write(
      "raw:\n  contrast: 0.8\n  neutralTemperature: 3000\n  neutralTint: 5\n",
      to: "small.dng.rawdev.yaml")
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      func develop(_ folder: String) async throws -> Data {
        let begun = try await server.post(
          "/api/develop",
          """
          {"ids":["\(server.id())"],"format":"tiff","options":{"folder":"\(folder)"}}
          """)
        let job = try #require(begun.json["job"] as? Int)
        try await events.read(until: #""job":\#(job),"state":"done""#)
        return try Data(contentsOf: URL(fileURLWithPath: raw.file(folder + "/small.tif")))
      }
      let before = try await develop("before")
      let opened = try await server.act("open", "{}").json
      let own = (opened["edit"] as? [String: Any])?["own"] as? [String: Any]
      let from = String(
        decoding: try JSONSerialization.data(withJSONObject: try #require(own)), as: UTF8.self)
      let reply = try await server.act(
        "steps",
        #"{"key":"k","title":"t","from":\#(from),"own":{"exposure":1},"held":true}"#)
      #expect(reply.status == 200)
      let pending = try await develop("pending")
      #expect(try await server.act("save", "{}").status == 200)
      #expect(try await develop("saved") == pending)
      #expect(before != pending)
    }
  }

  @Test func asManyEditsAsThereAreAreDeveloped() async throws {
    let raw = try SmallRaw()
    let bytes = try SmallRaw.bytes()
    for number in 0..<69 { try raw.files.write(bytes, to: "more/\(number).dng") }
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      let all = server.server.folder.entries(from: 0, count: 100)
      let ids = all.map { "\"\($0.id)\"" }.joined(separator: ",")
      let pasted = try await server.post(
        "/api/paste",
        #"{"values":{"exposure":1},"ids":[\#(ids)],"key":"k","title":"t","held":true}"#)
      #expect((pasted.json["done"] as? [String])?.count == 70)
      #expect(!raw.names.contains("small.dng.rawdev.yaml"))
      let reply = try await server.post(
        "/api/develop", #"{"ids":[\#(ids)],"format":"jpeg-sdr","options":{"maxSize":16}}"#)
      #expect(reply.status == 200)
      let end = try await events.read(until: #""state":"done""#)
      #expect(end.contains(#""done":70"#))
    }
  }

  @Test func theUsualFolderDoesNotLeadOut() async throws {
    let raw = try SmallRaw()
    let outside = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: raw.file("developed"), withDestinationPath: outside.path)
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      let reply = try await server.post(
        "/api/develop", #"{"ids":["\#(server.id())"],"format":"png-sdr"}"#)
      #expect(reply.status == 200)
      let all = try await events.read(until: #""state":"failed""#)
      #expect(all.contains("leads out") && outside.names.isEmpty)
    }
  }

  @Test(arguments: [
    #"{"ids":[],"format":"jpeg-sdr"}"#, #"{"ids":[ID,ID],"format":"jpeg-sdr"}"#,
    #"{"ids":[ID],"format":"gif"}"#,
    #"{"ids":[ID],"format":"jpeg-sdr","options":{"quality":7}}"#,
    #"{"ids":[ID],"format":"jpeg-sdr","options":{"nothing":7}}"#,
    #"{"ids":[ID],"format":"jpeg-sdr","options":{"iccProfile":"/etc/passwd"}}"#,
    #"{"ids":[ID],"format":"jpeg-sdr","options":{"folder":"../up"}}"#,
    #"{"ids":[ID],"format":"jpeg-sdr","options":{"folder":"/tmp"}}"#,
    #"{"ids":[ID],"format":"jpeg-sdr","options":{"folder":".rawdev"}}"#,
    #"{"ids":[0],"format":"jpeg-sdr"}"#, #"{"ids":["a.dng"],"format":"jpeg-sdr"}"#,
  ]) func whatCannotBeDevelopedIsRefusedAtOnce(_ body: String) async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let reply = try await server.post(
        "/api/develop", body.replacing("ID", with: "\"\(server.id())\""))
      #expect(reply.status == 400)
      #expect(raw.names == ["small.dng"])
    }
  }
}
