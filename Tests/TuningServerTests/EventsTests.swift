import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import TuningServer

/// Notifications of pages about each other and the disk.
@Suite struct EventsTests {
  @Test func pagesOnOnePictureAreNotified() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let (a, b) = (try await server.events("a"), try await server.events("b"))
      for page in ["a", "b"] {
        let reply = try await server.act("open", "{}", on: nil, ["Rawdev-Page": page])
        #expect(reply.status == 200)
      }
      try await a.read(until: #""page":"b","type":"opened""#)
      try await b.read(until: #""page":"a","type":"opened""#)
      _ = try await server.step(#"{"exposure":1}"#)
      try await b.read(until: #""keeping":"waiting""#)
      try await b.read(until: #""keeping":"sidecar""#)
    }
  }

  @Test func changesOnDiskAreReported() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      _ = try await server.act("open", "{}", on: nil, ["Rawdev-Page": "a"])
      try raw.files.write("schema: 1\nraw:\n  exposure: 2\n", to: "small.dng.rawdev.yaml")
      try await events.read(until: #""type":"document""#)
      try raw.files.write(SmallRaw.bytes(), to: "more.dng")
      try await events.read(until: #""count":2,"type":"pictures""#)
    }
  }

  @Test func whatIsInNoSidecarIsKnown() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let own = #"{"key":"k","title":"t","from":{},"own":{"exposure":1},"held":true}"#
      let reply = try await server.act("steps", own)
      #expect(reply.status == 200)
      #expect(await server.server.unfinished() == ["small.dng"])
      let saved = try await server.act("save", "{}")
      #expect(saved.status == 200)
      #expect(await server.server.unfinished().isEmpty)
      #expect(raw.names.contains("small.dng.rawdev.yaml"))
    }
  }
}
