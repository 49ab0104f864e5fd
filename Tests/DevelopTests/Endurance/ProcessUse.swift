import CPOSIX
import Foundation
import ImageCore

/// What this process holds at one moment.
struct ProcessUse {
  /// Resident memory, bytes, without the pages that the heap keeps for its next blocks: which those
  /// are depends on what ran side by side.
  let residentBytes: Int
  /// Bytes of the blocks that the heap has given out.
  let heapBytes: Int
  /// Bytes of pixels.
  let pixelBytes: Int
  /// Open files.
  let descriptors: Int
  /// Files of the folder that are mapped.
  let mappedFiles: Int

  /// Measures this process; `folder` holds the files that it works with.
  init(filesIn folder: String) throws {
    malloc_trim(0)
    let pages = try Self.text("statm").split(separator: " ").compactMap { Int($0) }
    residentBytes = pages[1] * Int(getpagesize())
    let heap = mallinfo2()
    heapBytes = Int(heap.uordblks + heap.hblkhd)
    pixelBytes = PixelMemory.liveBytes
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    mappedFiles = try Self.text("maps").split(separator: "\n").count { $0.contains(folder) }
  }

  private static func text(_ name: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(filePath: "/proc/self/" + name)), as: UTF8.self)
  }
}
