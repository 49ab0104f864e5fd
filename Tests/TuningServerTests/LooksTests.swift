import Foundation
import Recipes
import TestSupport
import Testing

@testable import TuningServer

/// Looks, automatic adjustment and presets over HTTP.
@Suite struct LooksTests {
  private func looks(_ reply: Reply) throws -> [[String: Any]] {
    #expect(reply.status == 200, "\(reply.text)")
    return try #require(reply.json["looks"] as? [[String: Any]])
  }

  @Test func looksAreSavedAndRemoved() async throws {
    let raw = try SmallRaw()
    let state = try TestFolder()
    let folder = RecipeFolder(path: Array(state.file("recipes").utf8))
    try await RunningServer.with(raw.folder) {
      $0.recipes = folder
    } _: { server in
      let before = try looks(try await server.get("/api/looks"))
      #expect(before.count == BundledLook.all.count)
      #expect(before.allSatisfy { $0["kind"] as? String == "builtIn" && $0["values"] != nil })
      let body = #"{"title":"Dusk","own":{"vibrance":0.4,"orientation":6}}"#
      let saved = try #require(looks(try await server.post("/api/looks", body)).last)
      #expect(saved["kind"] as? String == "saved" && saved["title"] as? String == "Dusk")
      #expect((saved["values"] as? [String: Double]) == ["vibrance": 0.4])
      let id = try #require(saved["id"] as? String)
      let removed = try await server.post("/api/looks/remove", #"{"id":"\#(id)"}"#)
      #expect(try looks(removed).count == before.count)
      #expect(try await server.post("/api/looks/remove", #"{"id":"\#(id)"}"#).status == 404)
    }
  }

  @Test func whatCannotBeSavedIsRefused() async throws {
    let raw = try SmallRaw()
    let state = try TestFolder()
    try state.write("raw: {exposure: 1}\n", to: "Mine.yaml")
    let folder = RecipeFolder(path: state.bytes)
    try await RunningServer.with(raw.folder) {
      $0.recipes = folder
    } _: { server in
      for (title, own, status) in [
        ("Mine", #"{"vibrance":1}"#, 409), ("a/b", #"{"vibrance":1}"#, 400),
        ("a", #"{"orientation":6}"#, 400), ("a", #"{"vibrance":9}"#, 400),
      ] {
        let body = #"{"title":"\#(title)","own":\#(own)}"#
        let reply = try await server.post("/api/looks", body)
        #expect(reply.status == status, "\(body)")
      }
      #expect(state.names == ["Mine.yaml"])
    }
  }

  @Test func autoSaysWhatItSets() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      func values(_ own: String) async throws -> [String: Double] {
        let reply = try await server.act("auto", #"{"own":\#(own)}"#)
        #expect(reply.status == 200, "\(reply.text)")
        return try #require(reply.json["values"] as? [String: Double])
      }
      let found = try await values("{}")
      #expect(
        Set(found.keys) == [
          "exposure", "contrast", "highlights", "shadows", "whites", "blacks", "vibrance",
        ])
      // It replaces what it set before.
      #expect(try await values(#"{"exposure":3,"contrast":-1}"#) == found)
      #expect(try await values(#"{"baselineExposure":-5}"#) != found)
      #expect(try await server.act("auto", #"{"own":{"look":"scene"}}"#).status == 400)
    }
  }

  @Test func presetsAreThereAtTheStart() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.path) { server in
      let presets = try #require(
        try await server.get("/api/start").json["presets"] as? [[String: Any]])
      #expect(presets.compactMap { $0["title"] as? String } == OutputPreset.all.map(\.title))
      for preset in OutputPreset.all {
        let output = try DevelopRequest.output(
          format: preset.format.rawValue, options: preset.options)
        #expect(output.format == preset.format)
      }
    }
  }
}
