import Foundation
import TestSupport
import Testing

@testable import ImageCore

/// Control groups as trees of files.
@Suite struct MachineTests {
  private func tree(_ files: [String: String]) throws -> TestFolder {
    let folder = try TestFolder()
    for (name, text) in files { try folder.write(text + "\n", to: name) }
    return folder
  }

  @Test func controlGroupsVersion2() throws {
    let folder = try tree([
      "cpu.max": "max 100000", "memory.max": "max", "a/cpu.max": "250000 100000",
      "a/memory.max": "4000000000", "a/b/cpu.max": "max 100000", "a/b/memory.max": "5000000000",
      "a/c/memory.max": "1000000000", "a/c/cpu.max": "50000 100000",
    ])
    let root = folder.path
    // The minimum of a group and its parents.
    #expect(Machine.groupMemory(root: root, group: ["": "/a/b"]) == 4_000_000_000)
    #expect(Machine.groupCores(root: root, group: ["": "/a/b"]) == 2.5)
    #expect(Machine.groupMemory(root: root, group: ["": "/a/c"]) == 1_000_000_000)
    #expect(Machine.groupCores(root: root, group: ["": "/a/c"]) == 0.5)
    #expect(Machine.groupMemory(root: root, group: ["": "/"]) == nil)
    #expect(Machine.groupCores(root: root, group: ["": "/"]) == nil)
    // In a container the group's own name is not there; what is there counts.
    #expect(Machine.groupCores(root: root, group: ["": "/a/gone/gone"]) == 2.5)
  }

  @Test func controlGroupsVersion1() throws {
    let none = "9223372036854771712"
    let folder = try tree([
      "memory/memory.limit_in_bytes": none, "memory/job/memory.limit_in_bytes": "2147483648",
      "cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000",
      "cpu/job/cpu.cfs_quota_us": "150000", "cpu/job/cpu.cfs_period_us": "50000",
    ])
    let root = folder.path
    #expect(Machine.groupMemory(root: root, group: ["memory": "/job"]) == 2 << 30)
    #expect(Machine.groupCores(root: root, group: ["cpu": "/job", "cpuacct": "/job"]) == 3)
    #expect(Machine.groupMemory(root: root, group: ["memory": "/"]) == nil)
    #expect(Machine.groupCores(root: root, group: ["cpu": "/"]) == nil)
  }

  @Test func invalidLimitsAreIgnored() throws {
    let folder = try tree([
      "cpu.max": "", "memory.max": "lots", "a/cpu.max": "1 2 3", "b/cpu.max": "100 0",
      "c/cpu.max": "nan nan", "d/cpu.max": "-5 100", "d/memory.max": "-7", "e/cpu.max": "1e300 1",
    ])
    for group in ["/", "/a", "/b", "/c", "/d", "", "no", "/../.."] {
      #expect(Machine.groupCores(root: folder.path, group: ["": group]) == nil, "\(group)")
      #expect(Machine.groupMemory(root: folder.path, group: ["": group]) == nil, "\(group)")
    }
    #expect(Machine.groupCores(root: "/nowhere", group: [:]) == nil)
  }

  @Test func thisMachineHasResources() {
    #expect(Machine.cores >= 1 && Machine.cores <= ProcessInfo.processInfo.processorCount)
    #expect(Machine.usableMemoryBytes > 64 << 20)
    #expect(Machine.memoryBytes >= Machine.usableMemoryBytes)
    #expect(!Machine.name.isEmpty)
  }
}
