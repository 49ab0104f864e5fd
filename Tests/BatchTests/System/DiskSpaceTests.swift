import Foundation
import ImageCore
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Space on disks, and the length of files.
@Suite struct DiskSpaceTests {
  @Test func freeSpaceIsKnownWhereThereIsADisk() throws {
    let folder = try TestFolder()
    #expect(DiskSpace.free(in: folder.root) < .max)
    #expect(DiskSpace.free(in: folder.at("nowhere")) == .max)
  }

  @Test func outputsGrowWithTheInputsThatAreRead() {
    let limits = DecodeLimits(maxFileBytes: 1000, maxPixels: 10)
    #expect(DiskSpace.longestOutput(within: limits) == 1 << 30 + 1640)
    let none = DecodeLimits(maxFileBytes: .max, maxPixels: .max)
    #expect(DiskSpace.longestOutput(within: none) > 1 << 60)
  }

  @Test func aWorkerThatWritesMoreIsEnded() throws {
    let folder = try TestFolder()
    let limits = DecodeLimits(maxFileBytes: 0, maxPixels: 0)
    let dd = "exec dd if=/dev/zero of=\(folder.at("a")) bs=1 count=1 seek=1G"
    let process = try WorkerProcess(
      ["/bin/sh", "-c", "read -r line; ulimit -c 0; \(dd)"], memoryBytes: 1 << 30,
      limits: limits)
    var replies: [WorkerReply]? = []
    while replies != nil {
      try #require(Poll.readable([process.replies], milliseconds: 300_000) == [0])
      replies = process.read()
    }
    #expect(process.wait() == .signal(SIGXFSZ))
  }
}
