import Containers
import ImageCore
import TestSupport
import Testing

@testable import RawDecode

@Suite struct UndecodedStorageTests {
  private static let versions = [(0, 20), (0, 21), (0, 22), (0, 23)].map {
    LibRawVersion(major: $0.0, minor: $0.1)
  }

  /// A little-endian TIFF of one or two directories with 32-bit values; negative values represent
  /// the offset of `behind`.
  private func tiff(
    _ make: String, _ entries: [(tag: UInt16, value: Int)], magic: UInt8 = 42,
    behind: [UInt8] = [], second: [(tag: UInt16, value: Int)] = []
  ) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let texts = [(271, make), (272, "Model 1")]
    let start = 8 + 2 + 12 * (entries.count + texts.count) + 4
    var text: [UInt8] = []
    var body = bytes(entries.count + texts.count, 2)
    for (tag, value) in texts {
      body += bytes(tag, 2) + bytes(2, 2) + bytes(value.utf8.count + 1, 4)
      body += bytes(start + text.count, 4)
      text += Array(value.utf8) + [0]
    }
    let data = start + text.count
    for (tag, value) in entries {
      body += bytes(Int(tag), 2) + bytes(4, 2) + bytes(1, 4)
      body += bytes(value < 0 ? data : value, 4)
    }
    var next = bytes(second.count, 2)
    for (tag, value) in second {
      next += bytes(Int(tag), 2) + bytes(4, 2) + bytes(1, 4) + bytes(value, 4)
    }
    let following = second.isEmpty ? 0 : data + behind.count
    return [0x49, 0x49, magic, 0, 8, 0, 0, 0] + body + bytes(following, 4) + text + behind + next
      + [UInt8](repeating: 0, count: 64)
  }

  /// The LibRaw versions for which `bytes` are rejected.
  private func refused(_ bytes: [UInt8]) throws -> [Int] {
    let file = try FileBytes(bytes)
    let tiff = try TIFFFile(file)
    var refused: [Int] = []
    for version in Self.versions {
      do throws(RAWError) {
        try UndecodedStorage.refuse(file, tiff, installed: version)
      } catch {
        #expect(error.code == .unsupported && error.stage == .open)
        #expect(error.message.contains("Adobe DNG Converter") && !error.message.contains("\n"))
        refused.append(version.minor)
      }
    }
    return refused
  }

  private func message(_ bytes: [UInt8], _ minor: Int = 20) throws -> String {
    let file = try FileBytes(bytes)
    let tiff = try TIFFFile(file)
    do throws(RAWError) {
      try UndecodedStorage.refuse(
        file, tiff, installed: LibRawVersion(major: 0, minor: minor))
    } catch { return error.message }
    return ""
  }

  @Test func nikonHighEfficiency() throws {
    let he: [UInt8] = [0xFF, 0x10, 0xFF, 0x50]
    let raw = tiff("NIKON CORPORATION", [(259, 34713), (273, -1)], behind: he)
    #expect(try refused(raw) == [20, 21, 22])
    let said = try message(raw)
    #expect(said.contains("NIKON Model 1") && said.contains("High Efficiency (TicoRAW)"))
    #expect(said.contains("no LibRaw up to 0.22") && said.contains("Lossless compression"))
    #expect(try refused(tiff("NIKON CORPORATION", [(259, 34713), (273, -1)])).isEmpty)
    #expect(try refused(tiff("Other", [(259, 34713), (273, -1)], behind: he)).isEmpty)
  }

  @Test func sonyCompressions() throws {
    #expect(try refused(tiff("SONY", [(254, 0), (259, 7), (262, 32803)])) == [20])
    #expect(try refused(tiff("SONY", [(254, 0), (259, 7), (262, 6), (277, 3)])) == [20, 21])
    #expect(try refused(tiff("SONY", [(254, 0), (259, 32766), (262, 32803)])) == [20, 21, 22])
    for (compression, kind) in [(32767, 32803), (1, 32803), (6, 6)] {
      #expect(try refused(tiff("SONY", [(259, compression), (262, kind)])).isEmpty)
    }
    // A preview.
    #expect(try refused(tiff("SONY", [(254, 1), (259, 7), (262, 6), (277, 3)])).isEmpty)
    // JPEGs in addition to a mosaic, and a mosaic in addition to JPEGs.
    let jpeg: [(tag: UInt16, value: Int)] = [(259, 7), (262, 6), (277, 3)]
    #expect(try refused(tiff("SONY", [(259, 32767), (262, 32803)], second: jpeg)).isEmpty)
    #expect(try refused(tiff("SONY", jpeg, second: [(259, 7), (262, 32803)])) == [20])
    let said = try message(tiff("SONY", [(254, 0), (259, 7), (262, 32803)]))
    #expect(said.contains("from 0.21 on; this is 0.20") && said.contains("install a newer LibRaw"))
  }

  @Test func panasonicStorages() throws {
    let storages = try (4...9).map {
      try refused(tiff("Panasonic", [(0x2D, $0)], magic: 0x55))
    }
    #expect(storages == [[], [], [], [], [20, 21], [20, 21, 22]])
  }

  @Test func omSystem() throws {
    func orf(_ make: String) -> [UInt8] {
      [0x49, 0x49, 0x52, 0x4F] + tiff(make, [(256, 5240)]).dropFirst(4)
    }
    #expect(try refused(orf("OM Digital Solutions")) == [20])
    #expect(try message(orf("OM Digital Solutions")).contains("stored as OM System ORF"))
    #expect(try refused(orf("OLYMPUS CORPORATION")).isEmpty)
    #expect(try refused(tiff("OM Digital Solutions", [(256, 5240)])).isEmpty)
  }

  private func raf(lossless: UInt8) -> [UInt8] {
    // The data's directory in tag 0xF000 at 26 of a TIFF structure, followed by the data.
    let structure: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x00, 0xF0, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
      + [1, 0, 0x07, 0xF0, 4, 0, 1, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0]
      + [0x49, 0x53, lossless, 16, 14]
    var file = Array("FUJIFILMCCD-RAW 0201FF12".utf8)
    file += [UInt8](repeating: 0, count: 28 - file.count) + Array("X-T9".utf8)
    file += [UInt8](repeating: 0, count: 100 - file.count) + [0, 0, 0, 120]
    file += [UInt8](repeating: 0, count: 120 - file.count)
    return file + structure
  }

  @Test func fujifilmLossy() throws {
    #expect(try refused(raf(lossless: 1)).isEmpty)
    #expect(try refused(raf(lossless: 0)) == [20])
    #expect(try refused(raf(lossless: 2)) == [20, 21, 22])
    #expect(try message(raf(lossless: 0)).contains("Fujifilm X-T9"))
  }

  private func cr3(version: UInt16) -> [UInt8] {
    let header: [UInt8] =
      [0xFF, 0xFF, 0, 0x30, UInt8(version >> 8), UInt8(version & 255)]
      + [UInt8](repeating: 0, count: 26)
    let entry = ISOBox.bytes(
      "CRAW", [UInt8](repeating: 0, count: 82) + ISOBox.bytes("CMP1", header))
    var boxes = ISOBox.bytes("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry)
    for name in ["stbl", "minf", "mdia", "trak", "moov"] { boxes = ISOBox.bytes(name, boxes) }
    return ISOBox.bytes("ftyp", Array("crx ".utf8)) + boxes
  }

  @Test func canonCodecs() throws {
    #expect(try refused(cr3(version: 0x100)).isEmpty)
    #expect(try refused(cr3(version: 0x200)) == [20])
    #expect(try refused(cr3(version: 0x300)) == [20, 21, 22])
  }

  /// Known raw containers in which LibRaw finds nothing are distinguished from other files.
  @Test func knownContainersAreNamed() throws {
    let file = try FileBytes(tiff("Panasonic", [(0x2D, 6)], magic: 0x55))
    #expect(throws: RAWError.self) {
      try UndecodedStorage.refuseKnownContainer(file, try TIFFFile(file))
    }
    let other = try FileBytes(tiff("Panasonic", [(259, 1)]))
    try UndecodedStorage.refuseKnownContainer(other, try TIFFFile(other))
  }

  @Test func damagedFilesDoNotTrap() throws {
    let files = [
      tiff("NIKON CORPORATION", [(259, 34713), (273, -1)]), raf(lossless: 0), cr3(version: 0x200),
      tiff("SONY", [(254, 0), (259, 7), (262, 32803)]),
    ]
    for (index, bytes) in files.enumerated() {
      for seed in 0..<UInt64(Damage.count(200)) {
        let damaged = Damage.damaged(bytes, seed: Damage.seed(Int(seed) + 1000 * index))
        guard let file = try? FileBytes(damaged) else { continue }
        let tiff = try? TIFFFile(file)
        _ = UndecodedStorage(file, tiff)
      }
    }
  }

  @Test func realRawsAreNotRefused() throws {
    for name in ["canon30d_IMG_0848.CR2", "canonG10_plant_window.cr2", "canonG2_CRW_0304.CRW"] {
      let file = try FileBytes(path: try SharedFiles.path("raws/" + name))
      #expect(UndecodedStorage(file, try TIFFFile(file)) == nil, "\(name)")
    }
  }
}
