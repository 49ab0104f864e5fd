import Develop
import Foundation
import ImageCore
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// `rawdev worker` as a worker pool sees it.
@Suite struct WorkerTests {
  /// Sends requests one after another; returns the replies other than progress.
  private func replies(
    _ requests: [WorkerRequest], limits: DecodeLimits = DecodeLimits()
  ) throws -> [WorkerReply] {
    let process = try WorkerProcess(
      [try RawdevProcess.executable.string, "worker"], memoryBytes: 8 << 30, limits: limits)
    func next() throws -> WorkerReply {
      while true {
        try #require(
          Poll.readable([process.replies], milliseconds: 300_000) == [0],
          "the worker does not answer")
        for reply in try #require(process.read()) {
          if case .progress = reply { continue }
          return reply
        }
      }
    }
    guard case .ready = try next() else { throw BatchError(.badSetting, "not ready") }
    return try requests.map { request in
      do {
        #expect(try process.send(creatingOutputsOf: request))
      } catch { return .failed(BatchItem.Failure(error)) }
      return try next()
    }
  }

  private func order(_ staged: [String: FilePath], _ recipe: String) throws -> WorkerRequest {
    let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: recipe)])
    let resolved = try resolver.resolve(.init(path: Array("/x.dng".utf8)))
    return .develop(
      WorkerOrder(
        recipe: resolved.recipe, staged: staged.mapValues(\.text), threads: 1, thumbnail: 32))
  }

  @Test func filesAreOpenedWithinLimits() throws {
    let raw = try SmallRaw()
    // With its borders.
    let stored = 144 * 100
    let found = try replies([.open(path: raw.path)], limits: DecodeLimits(maxPixels: stored))
    guard case .opened = found[0] else {
      Issue.record("\(found)")
      return
    }
    let refused = try replies([.open(path: raw.path)], limits: DecodeLimits(maxPixels: stored - 1))
    guard case .failed(let failure) = refused[0] else {
      Issue.record("\(refused)")
      return
    }
    #expect(failure.code == "tooLarge" && failure.message.contains("\(stored - 1)"))
  }

  @Test func rawsOfAnyNameAreDeveloped() throws {
    let folder = try TestFolder()
    let bytes = try SmallRaw.bytes()
    let odd = folder.root.pushing(FilePath(bytes: [0xFF, 0x0A, 0x2F, 0xFE] + Array(".dng".utf8)))
    try TestFolder.write(bytes, to: odd)
    let staged = odd.removingLastComponent().appending(".rawdev-1.part")
    let recipe = "outputs: {main: {format: jpeg-sdr}}"
    let found = try replies([
      .open(path: odd.text), try order(["main": staged], recipe),
      .digest(paths: [odd.text, staged.text, "/nowhere"]),
    ])
    guard case .opened(let info) = found[0], case .developed(let result) = found[1],
      case .digests(let digests) = found[2]
    else {
      Issue.record("\(found)")
      return
    }
    #expect(info.xxh128 == Digest.of(bytes) && info.pixels == 104 * 72)
    let output = try #require(result.outputs.first)
    let status = try #require(FileStatus(staged))
    #expect(result.outputs.count == 1 && output.path == staged.text && output.bytes == status.bytes)
    #expect(output.xxh128 == (try Digest.of(file: staged)))
    #expect(output.width == 104 && output.height == 72)
    #expect(result.thumbnail?.hasPrefix("data:image/jpeg;base64,/9j/") ?? false)
    #expect(result.light?.histogram.reduce(0, +) ?? 0 > 99_900)
    #expect(digests.map(\.xxh128) == [Digest.of(bytes), output.xxh128, nil])
    #expect(digests[2].error != nil)
    #expect(try Folders.names(in: odd.removingLastComponent()).count == 2)
  }

  @Test func failuresAreRepliesAndTheNextRequestIsServed() throws {
    let folder = try TestFolder()
    let bytes = try SmallRaw.bytes()
    let (good, bad) = (folder.at("a.dng"), folder.at("b.dng"))
    try TestFolder.write(bytes, to: good)
    try TestFolder.write(Array(bytes.prefix(300)), to: bad)
    let staged = folder.at("no/such/.s")
    let found = try replies([
      try order(["main": folder.at(".s")], "{}"), .open(path: bad.text),
      .open(path: folder.at("none.dng").text), .open(path: folder.root.text),
      .open(path: good.text),
      try order(["main": staged], "{}"), .open(path: good.text),
    ])
    let codes = found.map { reply -> String in
      switch reply {
      case .failed(let failure): failure.code
      case .opened: "opened"
      default: "\(reply)"
      }
    }
    #expect(codes[0] == "badSetting" && codes[2] == "cannotRead" && codes[3] == "cannotRead")
    #expect(codes[4] == "opened" && codes[6] == "opened")
    #expect(codes[1] != "opened" && codes[5] == "cannotWrite", "\(codes)")
  }
}
