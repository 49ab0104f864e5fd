import ImageCore

@testable import Containers
@testable import Readers

/// The structure of files, as bytes.
enum Structures {
  static func file(_ bytes: [UInt8]) -> FileBytes? {
    attempt { try FileBytes(bytes, limits: DecodeLimits(maxFileBytes: 1 << 24)) }
  }

  static func tiff(_ bytes: [UInt8]) {
    guard let file = file(bytes), let read = attempt({ try TIFFFile(file) }), let tiff = read else {
      return
    }
    for directory in tiff.directories {
      for entry in directory.entries.values { _ = (entry.integers, entry.numbers, entry.text) }
    }
    let note = CaptureMetadata(tiff).makerNote
    _ = note?.shortened(to: (note?.bytes.count ?? 0) / 2)
  }

  static func jpeg(_ bytes: [UInt8]) {
    guard let file = file(bytes) else { return }
    if let segments = JPEGSegments(file) {
      _ = (segments.exif, segments.xmp, segments.iptc, segments.gainMapRecord)
      _ = (segments.end(), segments.scans(atMost: 100), segments.frame?.blocks)
      attempt { try segments.profile() }
    }
    bytes.withUnsafeBytes { for _ in JPEGMarkers($0) {} }
    _ = JPEGSegments.nextImage(file, from: 0)
    _ = MultiPictureIndex(file, 0..<file.count)
  }

  static func heif(_ bytes: [UInt8]) {
    guard let file = file(bytes) else { return }
    if let items = attempt({ try HEIFItems(file) }) {
      let reader = HEIFItemReader(file: file, items: items)
      for number in 0..<64 where items[number] != nil {
        attempt { try reader.bytes(of: number) }
        guard let item = items[number] else { continue }
        _ = item.properties.map(\.box)
        attempt {
          try CodedStill(type: item.type, configuration: item.configuration) {
            () throws(FormatError) in try reader.bytes(of: number)
          }
        }
      }
    }
    if let document = attempt({ try HEIFDocument(file) }) { attempt { try document.bytes() } }
  }

  static func png(_ bytes: [UInt8]) {
    _ = HDRMetadata.MasteringDisplay(png: bytes)?.png
    _ = HDRMetadata.ContentLight(png: bytes)?.png
  }

  static func jpegxl(_ bytes: [UInt8]) {
    if let bundle = attempt({ try JPEGXLGainMapBundle(bytes) }) {
      _ = JPEGXLColorEncoding(bundle.colorEncoding)
    }
    _ = JPEGXLColorEncoding(bytes)
    if let file = file(bytes), let frames = JPEGXLFrames(of: file) {
      _ = attempt { try JPEGXLPictureCost(frames, of: file) }
    }
  }

  static func exr(_ bytes: [UInt8]) { _ = file(bytes).flatMap { EXRHeader($0) } }
}
