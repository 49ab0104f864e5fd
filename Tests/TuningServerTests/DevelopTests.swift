import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import TuningServer

/// Files made of pictures.
@Suite(.timeLimit(.minutes(10))) struct DevelopTests {
  @Test func goodRawsAreDevelopedAndBadOnesNamed() async throws {
    let raw = try SmallRaw()
    try raw.files.write(Array("no raw".utf8), to: "bad.dng")
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      let begun = try await server.post(
        "/api/develop", #"{"ids":[0,1],"format":"png-sdr","options":{"maxSize":40}}"#)
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

  @Test func valuesThatAreNotSavedGiveWhatTheSavedOnesGive() async throws {
    let raw = try SmallRaw()
    // What the sidecar gives and the page does not is not applied, as after saving.
    try raw.files.write(
      "raw:\n  contrast: 0.8\n  neutralTemperature: 3000\n  neutralTint: 5\n",
      to: "small.dng.rawdev.yaml")
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      func develop(_ folder: String, _ unsaved: String) async throws -> Data {
        let begun = try await server.post(
          "/api/develop",
          #"{"ids":[0],"format":"tiff","options":{"folder":"\#(folder)"},"unsaved":\#(unsaved)}"#)
        let job = try #require(begun.json["job"] as? Int)
        try await events.read(until: #""job":\#(job),"state":"done""#)
        return try Data(contentsOf: URL(fileURLWithPath: raw.file(folder + "/small.tif")))
      }
      let before = try await develop("before", "{}")
      let unsaved = try await develop("unsaved", #"{"0":{"exposure":1}}"#)
      let opened = try await server.post("/api/pictures/0/open", "{}").json
      let revision = try #require((opened["document"] as? [String: Any])?["revision"] as? String)
      let reply = try await server.post(
        "/api/pictures/0/save", #"{"own":{"exposure":1},"revision":"\#(revision)"}"#)
      #expect(reply.status == 200)
      #expect(try await develop("saved", "{}") == unsaved)
      #expect(before != unsaved)
    }
  }

  @Test func theUsualFolderDoesNotLeadOut() async throws {
    let raw = try SmallRaw()
    let outside = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: raw.file("developed"), withDestinationPath: outside.path)
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      let reply = try await server.post("/api/develop", #"{"ids":[0],"format":"png-sdr"}"#)
      #expect(reply.status == 200)
      let all = try await events.read(until: #""state":"failed""#)
      #expect(all.contains("leads out") && outside.names.isEmpty)
    }
  }

  @Test(arguments: [
    #"{"ids":[],"format":"jpeg"}"#, #"{"ids":[0,0],"format":"jpeg"}"#,
    #"{"ids":[0],"format":"gif"}"#,
    #"{"ids":[0],"format":"jpeg","options":{"quality":7}}"#,
    #"{"ids":[0],"format":"jpeg","options":{"nothing":7}}"#,
    #"{"ids":[0],"format":"jpeg","options":{"iccProfile":"/etc/passwd"}}"#,
    #"{"ids":[0],"format":"jpeg","options":{"folder":"../up"}}"#,
    #"{"ids":[0],"format":"jpeg","options":{"folder":"/tmp"}}"#,
    #"{"ids":[0],"format":"jpeg","options":{"folder":".rawdev"}}"#,
    #"{"ids":[0],"format":"jpeg","unsaved":{"x":{}}}"#,
    #"{"ids":[0],"format":"jpeg","unsaved":{"0":{"exposure":99}}}"#,
  ]) func whatCannotBeDevelopedIsRefusedAtOnce(_ body: String) async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let reply = try await server.post("/api/develop", body)
      #expect(reply.status == 400)
      #expect(raw.names == ["small.dng"])
    }
  }
}
