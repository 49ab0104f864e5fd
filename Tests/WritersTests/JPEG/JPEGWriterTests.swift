import Codecs
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

struct JPEGWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func writer(
    _ space: ColorSpace = .displayP3, _ chroma: ChromaSubsampling = .yuv420,
    quality: Float = 1, workers: Int = 2
  ) throws -> JPEGWriter {
    try JPEGWriter(.init(.jpeg, space, chroma: chroma, quality: quality), workers: workers)
  }

  private static let orange = SIMD3<Float>(0.7, 0.4, 0.15)

  @Test(
    "Every size comes back, with its edges",
    arguments: [
      (1, 1), (2, 1), (1, 2), (5, 3), (16, 64), (17, 65), (63, 127), (8, 300), (65, 641),
      (1030, 129),
    ])
  func sizes(width: Int, height: Int) throws {
    let picture = AnalyticPicture(width, height, primaries: .displayP3) { x, y in
      Self.orange * (0.6 + 0.2 * Float(x) / Float(width) + 0.2 * Float(y) / Float(height))
    }
    for chroma in [ChromaSubsampling.yuv420, .yuv444] {
      let file = try DecodedJPEG(try writer(.displayP3, chroma).encode(picture))
      #expect(file.size == picture.size && file.channels == 3)
      for x in Set([0, width / 2, width - 1]) {
        for y in Set([0, height / 2, height - 1]) {
          for channel in 0..<3 {
            let wanted = SRGB.signal(linear: Double(picture.linear(x, y)[channel])) * 255
            let got = Double(file.codes[3 * (y * width + x) + channel])
            #expect(abs(got - wanted) <= 4)
          }
        }
      }
    }
  }

  @Test("Values above the declared headroom are clipped, and a note says so")
  func clipping() throws {
    for (linear, count) in [(Float(1), 0), (3, 1)] {
      let picture = AnalyticPicture(16, 16, primaries: .displayP3) { _, _ in
        SIMD3(linear, 0.5, 0.5)
      }
      #expect(picture.info.headroom == 1)
      let notes = try writer().write(picture, to: .replacing(folder.file("clipped.jpg"))).notes
      #expect(notes.count == count, "\(notes)")
    }
  }

  @Test("Bands leave no seams")
  func seams() throws {
    let picture = AnalyticPicture.textured(200, 400, headroom: 1)
    let p3 = AnalyticPicture(200, 400, primaries: .displayP3, picture.linear)
    let complete = try DecodedJPEG(try writer(quality: 0.9).encode(p3))
    // The lower part by itself: its bands start where the full picture's do.
    let part = AnalyticPicture(200, 272, primaries: .displayP3) { p3.linear($0, $1 + 128) }
    let lower = try DecodedJPEG(try writer(quality: 0.9).encode(part))
    // Chroma of the first row is interpolated from its neighbors by the decoder.
    for y in 2..<272 {
      #expect(
        lower.codes[(600 * y)..<(600 * (y + 1))]
          == complete.codes[(600 * (y + 128))..<(600 * (y + 129))])
    }
  }

  @Test("The bytes do not depend on the workers, and the scan has its restart markers")
  func deterministic() throws {
    let picture = AnalyticPicture.textured(300, 1200, headroom: 1)
    let p3 = AnalyticPicture(300, 1200, primaries: .displayP3, picture.linear)
    let bytes = try writer(quality: 0.8, workers: 1).encode(p3)
    #expect(bytes == (try writer(quality: 0.8, workers: 3).encode(p3)))
    let file = try DecodedJPEG(bytes)
    let interval = file.segments.first { $0.marker == 0xDD }?.body
    // 19 blocks a row, four rows.
    #expect(interval == [0, 76])
    let markers = bytes.indices.dropLast().filter {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }.map { bytes[$0 + 1] }
    #expect(markers == (0..<18).map { 0xD0 + UInt8($0 % 8) })
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
  }

  @Test("Segments are in order and describe the file")
  func segments() throws {
    let picture = AnalyticPicture(40, 30, primaries: .srgb) { _, _ in Self.orange }
    let file = try DecodedJPEG(try writer(.sRGB).encode(picture))
    #expect(file.segments.prefix(4).map(\.marker) == [0xE0, 0xE1, 0xE1, 0xE2])
    #expect(file.segments.filter { $0.marker & 0xF0 == 0xE0 }.count == 4)
    #expect(file.segments[0].body == Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    #expect(file.index("Exif\0\0II*\0") == 1)
    let exif = try #require(file.body("Exif\0\0"))
    // ColorSpace sRGB, YCbCrPositioning centered; entries are tag, type, count, value.
    for entry: [UInt8] in [[1, 0xA0, 3, 0, 1, 0, 0, 0, 1], [0x13, 2, 3, 0, 1, 0, 0, 0, 1]] {
      #expect(exif.indices.contains { exif[$0...].starts(with: entry) })
    }
    #expect(file.index("http://ns.adobe.com/xap/1.0/\0") == 2)
    #expect(file.body("ICC_PROFILE\0") == [1, 1] + (try ColorSpace.sRGB.iccProfile()))
    // Chroma at half the columns and rows.
    let frame = try #require(file.segments.first { $0.marker == 0xC0 }?.body)
    #expect(frame.prefix(7) == [8, 0, 30, 0, 40, 3, 1] && frame[7] == 0x22)
  }

  @Test("Highlights are rolled off; other primaries and sizes are refused")
  func refusals() throws {
    let bright = AnalyticPicture(64, 64, headroom: 3, primaries: .displayP3) { x, _ in
      SIMD3(repeating: 3 * Float(x) / 63)
    }
    let written = try writer().write(bright, to: .replacing(folder.file("a.jpg")))
    #expect(written.isToneMapped && written.notes.count == 1)
    #expect(abs(written.statistics.contentHeadroom - 1) < 1e-3)
    #expect(throws: WriteError.self) { try writer(.sRGB).encode(bright) }
    #expect(throws: WriteError.self) { try writer(quality: 1.01) }
    #expect(throws: WriteError.self) { try writer(.bt2100PQ) }
    for (width, height) in [(0, 5), (65_501, 1), (1, 65_501)] {
      let odd = AnalyticPicture(width, height, primaries: .displayP3) { _, _ in .zero }
      #expect(throws: WriteError.self) { try writer().encode(odd) }
    }
    // The widest still fits a restart interval.
    for chroma in [ChromaFormat.yuv420, .yuv444, .monochrome] {
      let coding = JPEGCoding(
        encoding: try writer().coding(bright.info).encoding, chroma: chroma, quality: 90)
      #expect(coding.interval(width: 65_500) <= 65_535)
    }
  }

  @Test(
    "A packet too long for a segment keeps the important properties, not another map's"
  )
  func packets() throws {
    let picture = AnalyticPicture(16, 16, primaries: .displayP3) { _, _ in Self.orange }
    func packet(_ text: String) -> CaptureMetadata {
      CaptureMetadata(xmp: Array("<x><rdf:RDF>\(text)</rdf:RDF></x>".utf8))
    }
    let name = "http://ns.adobe.com/xap/1.0/\0"
    let path = folder.file("a.jpg")
    let note = "<a:n xmlns:a=\"urn:a:\">" + String(repeating: "nothing ", count: 10_000) + "</a:n>"
    let rating = "<b:Rating xmlns:b=\"http://ns.adobe.com/xap/1.0/\">3</b:Rating>"
    let large = packet("<rdf:Description>\(note)\(rating)</rdf:Description>")
    #expect(try writer().write(picture, metadata: large, to: .replacing(path)).notes.count == 1)
    let small = try #require(
      try DecodedJPEG([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))).body(name))
    #expect(small.count < 2000 && String(decoding: small, as: UTF8.self).contains(rating))
    let stale = packet("<a xmlns:h=\"http://ns.adobe.com/hdr-gain-map/1.0/\" h:Version=\"1.0\"/>")
    let other = try #require(
      try DecodedJPEG(try writer().encode(picture, metadata: stale)).body(name))
    #expect(!String(decoding: other, as: UTF8.self).contains("hdr-gain-map"))
  }

  @Test("Keywords beyond what a segment holds are what is lost, and the notes say so")
  func keywords() throws {
    let picture = AnalyticPicture(16, 16, primaries: .displayP3) { _, _ in Self.orange }
    let path = folder.file("a.jpg")
    let keyword: [UInt8] = [0x1C, 2, 25, 0, 1, 0x78]
    let rights: [UInt8] = [0x1C, 2, 116, 0, 3] + Array("Ada".utf8)
    // The second one's still fit the datasets, which take less room than XMP.
    for (count, retained, notes) in [(10, 10, 0), (10_000, 10_000, 1), (11_500, 0, 2)] {
      var metadata = CaptureMetadata()
      metadata.iptc = rights + [[UInt8]](repeating: keyword, count: count).joined()
      let written = try writer().write(picture, metadata: metadata, to: .replacing(path)).notes
      #expect(written.count == notes, "\(written)")
      let file = try DecodedJPEG([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
      let xmp = String(
        decoding: try #require(file.body("http://ns.adobe.com/xap/1.0/\0")), as: UTF8.self)
      #expect(xmp.contains("Ada") && xmp.contains("dc:subject") == (notes == 0))
      let datasets = try #require(file.body("Photoshop 3.0\0"))
      #expect(datasets.firstRange(of: rights) != nil)
      #expect(datasets.ranges(of: keyword).count == retained)
    }
  }
}
