import Containers
import Testing

@testable import Film

struct MovieBoxesTests {
  /// A movie of one track, whose sample entry is `tag`; QuickTime's terminator behind its boxes.
  private static func movie(_ tag: String, samples: [[UInt8]], terminator: [UInt8] = []) -> [UInt8]
  {
    let type = ISOBox.bytes("ftyp", Array("qt  ".utf8) + [0, 0, 2, 0])
    let data = ISOBox.bytes("mdat", samples.flatMap { $0 })
    func full(_ type: String, _ body: (inout BoxWriter) -> Void) -> [UInt8] {
      var box = BoxWriter()
      box.fullBox(type) { body(&$0) }
      return box.bytes
    }
    let entry = ISOBox.bytes(
      tag,
      [UInt8](repeating: 0, count: 78)
        + ISOBox.bytes("colr", Array("nclc".utf8) + [0, 9, 0, 16, 0, 9])
        + terminator)
    let table = ISOBox.bytes(
      "stbl",
      full("stsd") {
        $0.u32(1); $0.append(entry)
      }
        + full("stsz") { box in
          box.u32(0)
          box.u32(UInt32(samples.count))
          for sample in samples { box.u32(UInt32(sample.count)) }
        }
        + full("stsc") {
          $0.u32(1); $0.u32(1); $0.u32(UInt32(samples.count)); $0.u32(1)
        }
        + full("stco") {
          $0.u32(1); $0.u32(UInt32(type.count + 8))
        })
    let track = ISOBox.bytes(
      "trak", ISOBox.bytes("mdia", ISOBox.bytes("minf", table)))
    return type + data + ISOBox.bytes("moov", ISOBox.bytes("mvhd", [1, 2, 3]) + track)
  }

  @Test("What is not changed is written as it was")
  func unchanged() throws {
    for terminator: [UInt8] in [[], [0, 0, 0, 0]] {
      let bytes = Self.movie("hvc1", samples: [[1, 2], [3]], terminator: terminator)
      let boxes = try MovieBoxes(FileBytes(bytes))
      #expect(boxes.moov.bytes == Array(bytes[boxes.range]))
      #expect(boxes.range.upperBound == bytes.count)
    }
  }

  @Test("A box that is added stands before the terminator, and all lengths grow")
  func added() throws {
    let bytes = Self.movie("ap4h", samples: [[1]], terminator: [0, 0, 0, 0])
    var boxes = try MovieBoxes(FileBytes(bytes))
    try boxes.changePictures { track throws(FilmError) in
      try track.change("mdia") { media throws(FilmError) in
        try media.change("minf") { info throws(FilmError) in
          try info.change("stbl") { table throws(FilmError) in
            try table.change("stsd") { entries throws(FilmError) in
              try entries.change("ap4h") { entry throws(FilmError) in
                entry.children?.append(MovieBoxes.Box(type: "clli", head: [3, 0xE8, 1, 0x90]))
              }
            }
          }
        }
      }
    }
    let changed = boxes.moov.bytes
    #expect(changed.count == boxes.range.count + 12)
    let again = try MovieBoxes(FileBytes(Array(bytes[..<boxes.range.lowerBound]) + changed))
    let entry = again.moov["trak"]?["mdia"]?["minf"]?["stbl"]?["stsd"]?["ap4h"]
    #expect(entry?["clli"]?.head == [3, 0xE8, 1, 0x90] && entry?.tail == [0, 0, 0, 0])
  }

  @Test("Samples are where the tables say")
  func samples() throws {
    let bytes = Self.movie("hvc1", samples: [[1, 2], [3], [4, 5, 6]])
    let boxes = try MovieBoxes(FileBytes(bytes))
    let table = try #require(boxes.moov["trak"]?["mdia"]?["minf"]?["stbl"])
    let samples = try SampleTable(table, fileBytes: bytes.count)
    #expect(samples.samples.map { Array(bytes[$0]) } == [[1, 2], [3], [4, 5, 6]])
    #expect(samples.synced == nil)
  }

  @Test("Files that are cut or overwritten are refused or read, and nothing else happens")
  func abuse() throws {
    let bytes = Self.movie("hvc1", samples: [[1, 2], [3]])
    for at in bytes.indices {
      for byte: UInt8 in [0, 1, 8, 0x7F, 0xFF] {
        var changed = bytes
        changed[at] = byte
        guard let boxes = try? MovieBoxes(FileBytes(changed)),
          let table = boxes.moov["trak"]?["mdia"]?["minf"]?["stbl"]
        else { continue }
        _ = try? SampleTable(table, fileBytes: changed.count)
      }
    }
    for count in 1..<bytes.count { _ = try? MovieBoxes(FileBytes(Array(bytes[..<count]))) }
  }
}
