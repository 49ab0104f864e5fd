import Foundation
import Testing

@testable import Batch

/// What counts as the memory of a process.
@Suite struct ProcessMemoryTests {
  private static func status(shared: Int) -> String {
    """
    Name:\tRssAnon: 7 kB
    VmRSS:\t  900000 kB
    RssAnon:\t    3000 kB
    RssFile:\t  800000 kB
    RssShmem:\t   \(shared) kB
    """
  }

  private static let maps = """
    7f0000000000-7f0000100000 rw-s 00000000 00:01 1234   /dev/zero (deleted)
    7f0000200000-7f0000280000 rw-s 00000000 00:01 1235   /memfd:x (deleted)
    7f0000300000-7f0040300000 r--p 00000000 00:2a 17     /dev/shm/a.dng
    ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]
    """

  @Test func mappedFilesAreNotCounted() {
    #expect(ProcessMemory.resident(status: Self.status(shared: 0), maps: nil) == 3000 << 10)
    // An input on a disk in memory, with more resident than all anonymous memory.
    let found = ProcessMemory.resident(status: Self.status(shared: 500_000), maps: Self.maps)
    #expect(found == 3000 << 10 + 0x180000)
  }

  @Test func sharedMemoryIsCounted() {
    let found = ProcessMemory.resident(status: Self.status(shared: 64), maps: Self.maps)
    #expect(found == 3064 << 10)
    #expect(
      ProcessMemory.resident(status: Self.status(shared: 5000), maps: nil) == 8000 << 10)
  }

  @Test func systemsWithoutKindsCountAll() {
    #expect(ProcessMemory.resident(status: "VmRSS:\t  12 kB", maps: nil) == 12 << 10)
    #expect(ProcessMemory.resident(status: "", maps: nil) == 0)
  }

  @Test func thisProcessHasMemory() {
    #expect(ProcessMemory.resident(getpid()) > 1 << 20)
    #expect(ProcessMemory.resident(-1) == 0)
  }
}
