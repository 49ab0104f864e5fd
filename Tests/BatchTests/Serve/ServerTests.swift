import Develop
import Foundation
import Recipes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct ServerTests {
  /// A running server in a thread of its own, until it is released.
  private final class Running {
    let fixture: BatchFixture
    let socket: FilePath
    let cancellation = CancellationToken()
    private let ended = DispatchSemaphore(value: 0)

    init(_ fixture: BatchFixture, _ change: (inout BatchOptions) -> Void = { _ in }) throws {
      (self.fixture, socket) = (fixture, fixture.folder.at("s"))
      try Folders.create(fixture.out)
      var options = fixture.options
      options.graceSeconds = 0.2
      change(&options)
      nonisolated(unsafe) var server: Server? = try Server(
        recipes: try fixture.planner, options: options, socket: socket, cancellation: cancellation)
      Thread.detachNewThread { [ended] in
        do { try server?.run() } catch { Issue.record(error) }
        // Its socket is removed with it.
        server = nil
        ended.signal()
      }
    }

    func client() throws -> TestClient { try TestClient(socket) }

    func request(_ name: String, id: String? = nil, _ rest: String = "") -> String {
      let path = fixture.folder.at("raws/\(name)")
      return #"{"id": "\#(id ?? name)", "in": "\#(path)"\#(rest)}"#
    }

    /// Whether the server ended when it was asked to, and is gone.
    func end() -> Bool {
      cancellation.cancel()
      return ended.wait(timeout: .now() + 300) == .success
    }
  }

  @Test func requestsAreAnswered() throws {
    let server = try Running(
      try BatchFixture("a.dng", "b/c.dng", "share.dng", "crash.dng", "damaged.dng"))
    let client = try server.client()
    let target = server.fixture.folder.at("elsewhere")
    client.send(server.request("a.dng", id: "1"))
    client.send(server.request("b/c.dng", id: "2", #", "folder": "\#(target)", "out": "x/y""#))
    client.send(server.request("share.dng", id: "3", #", "recipe": {"raw": {"nonsense": 1}}"#))
    client.send(
      server.request("crash.dng", id: "4") + "\n" + server.request("damaged.dng", id: "5"))
    let items = try client.items(5)
    #expect(
      ["1", "2", "3", "4", "5"].map { items[$0]?.status } == [
        "done", "done", "done", "failed", "failed",
      ])
    #expect(items["2"]?.outputs?.map(\.path) == ["\(target)/x/y.jpg"])
    #expect(items["3"]?.warnings?.contains { $0.contains("nonsense") } ?? false)
    #expect(items["4"]?.error?.code == "crashed" && items["5"]?.error?.code == "damaged")
    #expect(server.fixture.output("a.jpg") == "main of\nlight of a.dng\n")
    #expect(server.fixture.folder.read("elsewhere/x/y.jpg") == "main of\nlight of b/c.dng\n")
    #expect(try server.fixture.folder.names("out") == ["a.jpg", "share.jpg"])
    #expect(server.end())
    #expect(FileStatus(server.socket) == nil)
  }

  @Test func badLinesAreRefused() throws {
    let server = try Running(try BatchFixture("a.dng", "hang.dng"))
    let client = try server.client()
    for line in ["nonsense", "[]", "{}", #"{"in": "/x.dng"}"#, "\u{0}", #"{"id": 3}"#] {
      client.send(line)
      #expect(try client.reply()?.event == "refused")
    }
    client.send(" \t\r")
    client.send(#"{"id": "x"}"#)
    let refused = try #require(try client.reply())
    #expect(refused.event == "refused" && refused.id == "x")
    let long = "/" + String(repeating: "a/", count: 3000) + "a.dng"
    for path in ["relative.dng", "", "/", long] {
      client.send(#"{"id": "y", "in": "\#(path)"}"#)
      #expect(try client.item()?.error?.code == "badSetting")
    }
    client.send(server.request("a.dng", id: "z", #", "folder": "relative""#))
    #expect(try client.item()?.error?.code == "badSetting")
    client.send(server.request("hang.dng", id: "h") + "\n" + server.request("a.dng", id: "h"))
    let twice = try #require(try client.item())
    #expect(twice.event == "refused" && twice.id == "h")
    client.send(#"{"id": "nobody", "cancel": true}"#)
    client.send(server.request("a.dng"))
    #expect(try client.item()?.status == "done")
    #expect(server.end())
  }

  @Test func requestsCanBeCancelled() throws {
    let server = try Running(try BatchFixture("hang.dng", "a.dng", "b.dng")) { $0.jobs = 1 }
    let client = try server.client()
    client.send(server.request("hang.dng"))
    client.send(server.request("a.dng"))
    client.send(server.request("b.dng"))
    // One that waits, then the one that is under way.
    client.send(#"{"id": "a.dng", "cancel": true}"#)
    let waiting = try #require(try client.item())
    #expect(waiting.id == "a.dng" && waiting.status == "interrupted")
    client.send(#"{"id": "hang.dng", "cancel": true}"#)
    let running = try #require(try client.item())
    #expect(running.id == "hang.dng" && running.status == "interrupted")
    let last = try #require(try client.item())
    #expect(last.id == "b.dng" && last.status == "done")
    #expect(try server.fixture.folder.names("out") == ["b.jpg"])
    #expect(server.end())
  }

  @Test func disconnectingCancelsTheRequestsOfAClient() throws {
    let server = try Running(try BatchFixture("hang.dng", "a.dng", "b.dng")) { $0.jobs = 1 }
    var first: TestClient? = try server.client()
    first?.send(server.request("hang.dng") + "\n" + server.request("a.dng"))
    try server.fixture.worker.wait(for: "develop hang.dng")
    first = nil
    let second = try server.client()
    second.send(server.request("b.dng"))
    #expect(try second.item()?.id == "b.dng")
    #expect(server.fixture.worker.developed == ["b.dng", "hang.dng"])
    #expect(try server.fixture.folder.names("out") == ["b.jpg"])
    #expect(server.end())
  }

  @Test func aClientThatDoesNotReadBlocksNoOther() throws {
    let server = try Running(try BatchFixture("a.dng"))
    let (deaf, other) = (try server.client(), try server.client())
    for _ in 0..<6000 { deaf.send("{}") }
    other.send(server.request("a.dng"))
    #expect(try other.item()?.status == "done")
    for _ in 0..<6000 { #expect(try deaf.reply()?.event == "refused") }
    #expect(server.end())
  }

  @Test func existingFilesStay() throws {
    let server = try Running(try BatchFixture("a.dng", "b.dng"))
    let client = try server.client()
    try server.fixture.folder.write("mine", to: "out/a.jpg")
    client.send(server.request("a.dng"))
    #expect(try client.item()?.error?.code == "exists")
    #expect(server.fixture.output("a.jpg") == "mine")
    client.send(server.request("a.dng", #", "overwrite": true"#))
    #expect(try client.item()?.status == "done")
    #expect(server.fixture.output("a.jpg") == "main of\nlight of a.dng\n")
    // Never the raw itself, by any path.
    try FileManager.default.createSymbolicLink(
      atPath: server.fixture.folder.at("raws/b.jpg").string, withDestinationPath: "b.dng")
    let raws = server.fixture.folder.at("raws")
    client.send(server.request("b.dng", #", "folder": "\#(raws)", "overwrite": true"#))
    #expect(try client.item()?.error?.code == "exists")
    #expect(server.fixture.folder.read("raws/b.dng") == "light of b.dng\n")
    #expect(server.end())
  }

  @Test func foldersThatAreLinksLeadNowhereElse() throws {
    let server = try Running(try BatchFixture("a.dng"))
    let folder = server.fixture.folder
    for name in ["out", "other"] { try Folders.create(folder.at(name)) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("out/away").string, withDestinationPath: "../other")
    let client = try server.client()
    client.send(server.request("a.dng", #", "out": "away/a""#))
    #expect(try client.item()?.error?.code == "cannotWrite")
    #expect(try folder.names("other").isEmpty)
    #expect(server.end())
  }

  @Test func twoRequestsForOneOutput() throws {
    let server = try Running(try BatchFixture("slow.dng", "a.dng", "slow2.dng"))
    let client = try server.client()
    let out = server.fixture.out
    try server.fixture.worker.hold("slow.dng")
    // The same folder in other words is the same.
    client.send(server.request("slow.dng", #", "out": "same", "overwrite": true"#))
    try server.fixture.worker.wait(for: "begin slow.dng")
    client.send(
      server.request("a.dng", #", "out": "same", "folder": "\#(out)/./x/..", "overwrite": true"#))
    let second = try #require(try client.item())
    #expect(second.id == "a.dng" && second.error?.code == "sameOutput")
    server.fixture.worker.release("slow.dng")
    let first = try #require(try client.item())
    #expect(first.id == "slow.dng" && first.status == "done")
    #expect(server.fixture.output("same.jpg") == "main of\nlight of slow.dng\n")
    #expect(try server.fixture.folder.names("out") == ["same.jpg"])
    #expect(server.end())
  }

  @Test func refusingARequestKeepsStagedFilesOfOthers() throws {
    // Both stage under one name; the second must not remove the file of the first.
    let server = try Running(try BatchFixture("slow.dng", "a.dng"))
    let client = try server.client()
    try server.fixture.worker.hold("slow.dng")
    client.send(server.request("slow.dng", #", "out": "same""#))
    try server.fixture.worker.wait(for: "begin slow.dng")
    let staged = server.fixture.out.appending(".rawdev-\(Digest.of("same.jpg").prefix(24)).part")
    try TestFolder.write([1], to: staged)
    client.send(server.request("a.dng", #", "out": "same""#))
    #expect(try client.item()?.id == "a.dng")
    #expect(FileStatus(staged) != nil)
    server.fixture.worker.release("slow.dng")
    #expect(try client.item()?.status == "done")
    #expect(server.end())
  }

  @Test func aCancellationAnswersEveryRequest() throws {
    let server = try Running(try BatchFixture("hang.dng", "a.dng", "b.dng")) { $0.jobs = 1 }
    let client = try server.client()
    for name in ["hang.dng", "a.dng", "b.dng"] { client.send(server.request(name)) }
    try server.fixture.worker.wait(for: "develop hang.dng")
    #expect(server.end())
    let items = try client.items(3)
    #expect(items.values.allSatisfy { $0.status == "interrupted" })
    #expect(try client.item() == nil)
  }

  @Test func nonsenseOfAWorkerFailsItsRequest() throws {
    let server = try Running(
      try BatchFixture("digests.dng", "hasty.dng", "less.dng", "twice.dng", "a.dng"))
    let client = try server.client()
    let names = ["digests.dng", "hasty.dng", "less.dng", "twice.dng"]
    // The second time with names that are free again.
    for _ in 0..<2 {
      for name in names { client.send(server.request(name)) }
      let items = try client.items(names.count)
      #expect(names.allSatisfy { items[$0]?.error?.code == "crashed" })
    }
    client.send(server.request("a.dng"))
    #expect(try client.item()?.status == "done")
    #expect(try server.fixture.folder.names("out") == ["a.jpg"])
    #expect(server.end())
  }

  @Test func aFileThatIsNotWrittenFailsItsRequest() throws {
    let server = try Running(try BatchFixture("lie.dng"))
    let client = try server.client()
    client.send(server.request("lie.dng"))
    #expect(try client.item()?.error?.code == "cannotWrite")
    #expect(try server.fixture.folder.names("out").isEmpty)
    #expect(server.end())
  }

  @Test func oneRequestTooManyIsRefused() throws {
    let server = try Running(try BatchFixture("hang.dng", "a.dng", "b.dng", "c.dng")) {
      ($0.jobs, $0.maxRequests) = (1, 3)
    }
    let client = try server.client()
    for name in ["hang.dng", "a.dng", "b.dng", "c.dng"] { client.send(server.request(name)) }
    let refused = try #require(try client.item())
    #expect(refused.event == "refused" && refused.id == "c.dng")
    #expect(refused.message?.hasPrefix("3 requests") ?? false)
    client.send(#"{"id": "a.dng", "cancel": true}"#)
    #expect(try client.item()?.id == "a.dng")
    client.send(server.request("c.dng"))
    client.send(server.request("a.dng"))
    #expect(try client.item()?.id == "a.dng")
    #expect(server.end())
    let items = try client.items(3)
    #expect(items.keys.sorted() == ["b.dng", "c.dng", "hang.dng"])
    #expect(items.values.allSatisfy { $0.status == "interrupted" })
  }

  @Test func oneClientTooManyIsToldSo() throws {
    let server = try Running(try BatchFixture("a.dng")) { $0.maxClients = 1 }
    let first = try server.client()
    first.send("{}")
    #expect(try first.reply()?.event == "refused")
    let second = try server.client()
    #expect(try second.reply()?.message?.hasPrefix("1 clients are connected") ?? false)
    #expect(try second.reply() == nil)
    first.send(server.request("a.dng"))
    #expect(try first.item()?.status == "done")
    #expect(server.end())
  }

  @Test func workersThatCannotStartCostRequests() throws {
    let nowhere = try Running(try BatchFixture("a.dng")) { $0.worker = ["/nowhere/worker"] }
    let first = try nowhere.client()
    for _ in 0..<2 {
      first.send(nowhere.request("a.dng"))
      let error = try first.item()?.error
      #expect(error?.code == "noWorker" && error?.message.contains("/nowhere/worker") ?? false)
    }
    #expect(nowhere.end())
    // Once workers have worked, some that end at once are a matter of resources as well.
    let server = try Running(try BatchFixture("a.dng", "crash.dng", "b.dng")) { $0.jobs = 1 }
    let client = try server.client()
    client.send(server.request("a.dng"))
    #expect(try client.item()?.status == "done")
    try server.fixture.folder.write("", to: "desk/die")
    client.send(server.request("crash.dng"))
    let error = try client.item()?.error
    #expect(error?.code == "noWorker" && error?.message.contains("libraw.so") ?? false)
    try server.fixture.folder.remove("desk/die")
    client.send(server.request("b.dng"))
    #expect(try client.item()?.status == "done")
    #expect(server.end())
  }

  @Test func manyBadRequestsAtOnce() throws {
    let server = try Running(try BatchFixture("a.dng")) { $0.jobs = 1 }
    let client = try server.client()
    for number in 0..<20_000 { client.send(#"{"id": "\#(number)", "in": "x"}"#) }
    client.send(server.request("a.dng", id: "last"))
    var last: TestClient.Reply?
    for _ in 0...20_000 { last = try client.item() }
    #expect(last?.id == "last" && last?.status == "done")
    #expect(server.end())
  }
}
