import Codecs
import Containers
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter

/// A raw with its preview recoded, behind segments that declare what it is.
struct RecodedPreview {
  static let file = "raws/canon30d_IMG_0848.CR2"

  var bytes: [UInt8]
  /// Where the TIFF structure of the raw has an entry, by directory and tag.
  private let tiff: TIFFFile

  /// What the preview is made.
  enum Colors { case srgb, adobeRGB, gray }

  init(_ colors: Colors, _ segments: [UInt8] = []) throws {
    bytes = try SharedFiles.bytes(Self.file)
    let file = try FileBytes(bytes)
    tiff = try #require(try TIFFFile(file))
    let embedded = try #require(EmbeddedPreview(in: tiff, file))
    let found = try #require(Data(bytes).range(of: Data(embedded.jpeg)))
    let decoded = try #require(embedded.decode(maxSide: 900))
    var jpeg = try Self.jpeg(decoded.size, decoded.rgb, colors)
    jpeg.insert(contentsOf: segments, at: 2)
    try #require(jpeg.count <= found.count)
    bytes.replaceSubrange(
      found, with: jpeg + [UInt8](repeating: 0, count: found.count - jpeg.count))
  }

  /// Sets the only number of an entry, of 16 bits, or hides the entry under another tag.
  mutating func set(_ directory: TIFFDirectory?, _ tag: UInt16, to number: UInt16?) throws {
    let entry = try #require(directory?[tag])
    if let number {
      bytes.replaceSubrange(
        entry.offset..<entry.offset + 2, with: number.bytes(bigEndian: tiff.bigEndian))
    } else {
      bytes.replaceSubrange(
        entry.position..<entry.position + 2,
        with: UInt16(0xEFFF).bytes(bigEndian: tiff.bigEndian))
    }
  }

  var exif: TIFFDirectory? { tiff.directory(.exif) }
  var note: TIFFDirectory? { exif?[0x927C].flatMap { tiff.directory(at: $0.offset) } }
  var interoperability: TIFFDirectory? {
    exif?[0xA005]?.integer.flatMap { tiff.directory(at: $0) }
  }

  /// Nothing of the raw says its color space any more.
  mutating func silence() throws {
    try set(exif, 0xA001, to: nil)
    try set(exif, 0xA005, to: nil)
    try set(note, 0xB4, to: nil)
  }

  mutating func setIndex(_ text: String) throws {
    let entry = try #require(interoperability?[1])
    bytes.replaceSubrange(entry.offset..<entry.offset + 3, with: Array(text.utf8))
  }

  func filter() throws -> RAWFilter { try RAWFilter(data: Data(bytes)) }

  /// A JPEG of sRGB samples, by its own formula: full range, 4:4:4.
  private static func jpeg(_ size: PixelSize, _ rgb: [UInt8], _ colors: Colors) throws -> [UInt8] {
    let toAdobe = Primaries.srgb.conversion(to: .adobeRGB)
    var planes = [[UInt8]](repeating: [UInt8](repeating: 0, count: size.area), count: 3)
    for pixel in 0..<size.area {
      var color = SIMD3<Double>()
      for channel in 0..<3 { color[channel] = Double(rgb[3 * pixel + channel]) / 255 }
      if colors == .adobeRGB {
        for channel in 0..<3 { color[channel] = SRGB.linear(signal: color[channel]) }
        color = toAdobe * color
        for channel in 0..<3 { color[channel] = AdobeRGB.signal(linear: color[channel]) }
      }
      if colors == .gray { color = SIMD3(repeating: color.y) }
      let y = 0.299 * color.x + 0.587 * color.y + 0.114 * color.z
      let values = [y, (color.z - y) / 1.772 + 0.50196, (color.x - y) / 1.402 + 0.50196]
      for plane in 0..<3 {
        planes[plane][pixel] = UInt8(min(max((values[plane] * 255).rounded(), 0), 255))
      }
    }
    let compressor = try TurboJPEGCompressor()
    return try planes[0].withUnsafeBufferPointer { y in
      try planes[1].withUnsafeBufferPointer { cb in
        try planes[2].withUnsafeBufferPointer { cr in
          let pointers = [y, cb, cr].compactMap(\.baseAddress)
          return try compressor.compress(
            pointers, strides: [Int](repeating: size.width, count: 3), size: size,
            chroma: .yuv444, quality: 85)
        }
      }
    }
  }
}
