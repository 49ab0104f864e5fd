import Containers
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import RawDecode

@Suite struct LibRawHandleTests {
  /// A file that only LibRaw decodes.
  private func file(_ limits: DecodeLimits = DecodeLimits()) throws -> FileBytes {
    try FileBytes(path: SharedFiles.path("raws/canonG2_CRW_0304.CRW"), limits: limits)
  }

  @Test func stepsStopWhenTheTimeIsOver() throws {
    let time = TestTime()
    let bytes = try time.asClock { try file(DecodeLimits(maxSeconds: 1000)) }
    let handle = try LibRawHandle(bytes)
    time.set(.seconds(500))
    #expect(throws: Never.self) { try handle.unpack() }
    time.set(.seconds(1001))
    let late = #expect(throws: RAWError.self) { try LibRawHandle(bytes) }
    #expect(late?.code == .tooLarge && late?.stage == .open)
    time.set(.zero)
    let other = try LibRawHandle(bytes)
    time.set(.seconds(1001))
    let error = #expect(throws: RAWError.self) { try other.unpack() }
    #expect(error?.code == .tooLarge && error?.stage == .decode)
    #expect(error?.message.contains("after 1000.0 s") == true)
  }

  private typealias Entry = (tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])

  /// A directory of `entries` in this order, little-endian; longer values follow.
  private func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { UInt32(value).bytes(bigEndian: false) }
    var head = Array(word(entries.count).prefix(2))
    var values: [UInt8] = []
    let start = offset + 2 + 12 * entries.count + 4
    for entry in entries {
      head += word(Int(entry.type) << 16 | Int(entry.tag)) + word(Int(entry.count))
      if entry.value.count <= 4 {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        head += word(start + values.count)
        values += entry.value
      }
    }
    return head + word(0) + values
  }

  private func tiff(_ entries: [Entry]) -> [UInt8] {
    let names: [Entry] = [
      (271, 2, 9, Array("FUJIFILM\0".utf8)), (272, 2, 5, Array("X-T3\0".utf8)),
    ]
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory(names + entries, at: 8)
  }

  private let colors: [UInt8] = (0..<36).map { $0 % 3 }
  private var pattern: Entry { (33422, 1, 36, colors) }
  private var kodak: Entry { (64777, 1, 36, colors) }
  private let six: Entry = (33421, 3, 2, [6, 0, 6, 0])

  /// LibRaw 0.20 writes the filters, and the following values, out of bounds, whatever container
  /// the directory is in.
  @Test func filtersNeedTheirSize() throws {
    var files: [String: [UInt8]] = [
      "alone": tiff([pattern]), "of Kodak's": tiff([kodak]), "in front": tiff([pattern, six]),
      "of other sides": tiff([(33421, 3, 2, [123, 0, 6, 0]), pattern]),
      "in long words": tiff([(33421, 4, 2, [6, 0, 0, 0, 6, 0, 0, 0]), pattern]),
      "in bytes": tiff([(33421, 1, 2, [6, 6]), pattern]),
      "one side": tiff([(33421, 3, 1, [6, 0]), pattern]),
      "twice": tiff([pattern, (33422, 1, 4, [0, 1, 1, 2])]),
      "Kodak's as well": tiff([six, pattern, kodak]),
    ]
    // Directories that only LibRaw reads.
    let apart = directory([pattern], at: 1024)
    let start = tiff([(50740, 1, 4, [0, 4, 0, 0])])
    files["private"] = start + [UInt8](repeating: 0, count: 1024 - start.count) + apart
    // The 6 before the filters as the entry count of a directory.
    let within = UInt32(8 + 2 + 4 * 12 - 2).bytes(bigEndian: false)
    let others = (0..<5).map { Entry(60000 + $0, 1, 1, [0]) }
    files["within another"] = tiff([(50740, 1, 4, within), six, pattern] + others)
    var fujifilm = Array("FUJIFILMCCD-RAW 0201FF129502X-T3".utf8)
    fujifilm += [UInt8](repeating: 0, count: 200 - fujifilm.count)
    fujifilm[103] = 200
    files["RAF"] = fujifilm + tiff([kodak])
    let block = tiff([kodak])
    let length = UInt32(block.count).bytes(bigEndian: true)
    let all = UInt32(block.count + 16).bytes(bigEndian: true)
    files["MRW"] =
      Array("\0MRM".utf8) + all + Array("\0PRD".utf8) + [0, 0, 0, 0] + Array("\0TTW".utf8)
      + length + block
    for (name, bytes) in files {
      let error = #expect(throws: RAWError.self, "\(name)") {
        try LibRawHandle(try FileBytes(bytes))
      }
      #expect(error?.code == .damaged && error?.stage == .open, "\(name)")
      #expect(error?.message.contains("color filter pattern") == true, "\(name)")
    }
    #expect(throws: RAWError.self) { try RawFile.open(bytes: tiff([kodak])) }
    // Data that LibRaw copies within bounds are accepted.
    for sound in [[six, pattern], [(64777, 1, 4, [0, 1, 1, 2])]] as [[Entry]] {
      let error = #expect(throws: RAWError.self) { try LibRawHandle(try FileBytes(tiff(sound))) }
      #expect(error?.code == .notARaw)
    }
  }

  #if os(Linux)
    /// Samples that LibRaw leaves unwritten contain no bytes of other pictures.
    @Test func memoryBeginsAsZeros() throws {
      let loaded = (20...40).lazy.compactMap {
        dlopen("libraw_r.so.\($0)", RTLD_NOW | RTLD_NOLOAD)
      }
      func found(_ handle: UnsafeMutableRawPointer?) throws -> UnsafeMutableRawPointer {
        try #require(dlsym(handle, "_ZN6LibRaw6mallocEm"))
      }
      // A static LibRaw is built without its own malloc function: Scripts/libraw.
      guard let loaded = loaded.first else { return }
      let called = try found(dlopen(nil, RTLD_NOW))
      #expect(try called != found(loaded))
    }
  #endif

  /// The function called by the timer.
  @Test func rowsStop() throws {
    let handle = try LibRawHandle(file())
    handle.stop()
    #expect(throws: RAWError.self) { try handle.unpack() }
    #expect(throws: Never.self) { try LibRawHandle(file()).unpack() }
  }
}
