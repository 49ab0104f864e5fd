import ImageCore

@testable import Containers

/// The structure of files, as bytes.
enum Structures {
  static func file(_ bytes: [UInt8]) -> FileBytes? {
    try? FileBytes(bytes, limits: DecodeLimits(maxFileBytes: 1 << 24))
  }

  static func tiff(_ bytes: [UInt8]) {
    guard let file = file(bytes), let tiff = try? TIFFFile(file) else { return }
    for directory in tiff.directories {
      for entry in directory.entries.values { _ = (entry.integers, entry.numbers, entry.text) }
    }
  }

  static func jpeg(_ bytes: [UInt8]) {
    guard let file = file(bytes) else { return }
    _ = JPEGSegments(file)
    _ = JPEGSegments.nextImage(file, from: 0)
    _ = MultiPictureIndex(file, 0..<file.count)
  }

  static func heif(_ bytes: [UInt8]) {
    guard let file = file(bytes) else { return }
    if let items = try? HEIFItems(file) {
      let reader = HEIFItemReader(file: file, items: items)
      for number in 0..<64 where items[number] != nil { _ = try? reader.bytes(of: number) }
    }
    if let document = try? HEIFDocument(file) { _ = try? document.bytes() }
  }

  static func png(_ bytes: [UInt8]) {
    _ = HDRMetadata.MasteringDisplay(png: bytes)
    _ = HDRMetadata.ContentLight(png: bytes)
  }

  static func jpegxl(_ bytes: [UInt8]) {
    if let bundle = try? JPEGXLGainMapBundle(bytes) {
      _ = JPEGXLColorEncoding(bundle.colorEncoding)
    }
    _ = JPEGXLColorEncoding(bytes)
  }

  static func exr(_ bytes: [UInt8]) { _ = file(bytes).flatMap { EXRHeader($0) } }
}
