import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import TuningServer

/// What pages are told of each other and of the disk.
@Suite(.timeLimit(.minutes(10))) struct EventsTests {
  @Test func pagesOnOnePictureAreTold() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let (a, b) = (try await server.events("a"), try await server.events("b"))
      for page in ["a", "b"] {
        let reply = try await server.post("/api/pictures/0/open", "{}", ["Rawdev-Page": page])
        #expect(reply.status == 200)
      }
      try await a.read(until: #""page":"b","type":"opened""#)
      try await b.read(until: #""page":"a","type":"opened""#)
      let save = #"{"own":{"exposure":1},"revision":""}"#
      _ = try await server.post("/api/pictures/0/save", save, ["Rawdev-Page": "a"])
      try await b.read(until: #""type":"document""#)
    }
  }

  @Test func changesOnDiskAreTold() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      _ = try await server.post("/api/pictures/0/open", "{}", ["Rawdev-Page": "a"])
      try raw.files.write("schema: 1\nraw:\n  exposure: 2\n", to: "small.dng.rawdev.yaml")
      try await events.read(until: #""type":"document""#)
      try raw.files.write(SmallRaw.bytes(), to: "more.dng")
      try await events.read(until: #""type":"pictures""#)
    }
  }

  @Test func changesThatAreNotSavedAreKnown() async throws {
    let raw = try SmallRaw()
    try await RunningServer.with(raw.folder) { server in
      let events = try await server.events("a")
      _ = try await server.post("/api/unsaved", #"{"ids":[0]}"#, ["Rawdev-Page": "a"])
      #expect(server.server.unsaved == ["small.dng"])
      _ = try await server.post("/api/unsaved", #"{"ids":[]}"#, ["Rawdev-Page": "a"])
      #expect(server.server.unsaved.isEmpty)
      withExtendedLifetime(events) {}
    }
  }
}
