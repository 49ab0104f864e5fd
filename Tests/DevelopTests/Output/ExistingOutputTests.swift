import Codecs
import Containers
import Formats
import Foundation
import ImageCore
import RawFilter
import Recipes
import TestSupport
import Testing

@testable import Develop

/// What commands replace by default.
@Suite struct ExistingOutputTests {
  private func isReplaced(_ path: String) -> Bool {
    (try? OutputDestination.file(path: path, existing: .replaceOwn).check(.any())) != nil
  }

  private static let plainArrays: Set<OutputFormat> = [.npy, .planes]

  @Test(arguments: OutputFormat.allCases.filter { !plainArrays.contains($0) })
  func ownPicturesAre(format: OutputFormat) throws {
    let raw = try SmallRaw()
    var recipe = Recipe()
    recipe.output.format = format
    let path = raw.file("out.\(format.pathExtension)")
    _ = try Developer(recipe: recipe, workers: 2).develop(raw.path, to: .replacing(path))
    #expect(isReplaced(path))
  }

  /// Pictures of the same raw are replaced; pictures of others and edited ones are not.
  @Test(arguments: [OutputFormat.jpeg, .heifHLG, .tiff, .png, .jxl, .exr, .jpegGainMap, .avif])
  func ownPicturesOfOthersAreNot(format: OutputFormat) throws {
    let (one, other) = (try SmallRaw(), try SmallRaw(peak: 1.5))
    var recipe = Recipe()
    recipe.output.format = format
    // Another one was taken at another time.
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: other.path)))
    let date = Array("2025:06:21".utf8)
    while let range = bytes.firstRange(of: date) {
      bytes.replaceSubrange(range, with: Array("2025:06:22".utf8))
    }
    try Data(bytes).write(to: URL(fileURLWithPath: other.path))
    let path = one.file("out.\(format.pathExtension)")
    func develop(_ raw: SmallRaw, exposure: Float = 0) throws {
      recipe.raw.exposure = exposure
      _ = try Developer(recipe: recipe, workers: 2)
        .develop(raw.path, to: .file(path: path, existing: .replaceOwn))
    }
    try develop(one)
    let error = #expect(throws: DevelopError.self) { try develop(other) }
    #expect(error?.codeName == "exists")
    #expect(error.map { "\($0)".contains("another picture") } == true)
    try develop(one, exposure: 1)
  }

  /// Programs that edit XMP name themselves in it.
  @Test(arguments: [("", true), (" x:xmptk='Image::ExifTool 12.57'", false)])
  func editedMetadataIsNot(toolkit: String, isOwn: Bool) throws {
    let folder = try TestFolder()
    let (exif, text) = (
      exif(RawdevVersion.name),
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'\(toolkit)><rdf:RDF></rdf:RDF></x:xmpmeta>"
    )
    let packet = Array(text.utf8)
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      let bytes = PNGChunk.bytes(name, data)
      return bytes + bytes.dropFirst(4).withUnsafeBytes(ZlibStream.crc32).bytes(bigEndian: true)
    }
    let files: [String: [UInt8]] = [
      "a.jpg": [0xFF, 0xD8] + JPEGIdentifier.exif.segment(exif)
        + JPEGIdentifier.xmp.segment(packet) + [0xFF, 0xD9],
      "a.png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk(PNGChunk.exif, exif)
        + chunk(PNGChunk.text, Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet),
      "a.jxl": ISOBox.bytes("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
        + ISOBox.bytes("Exif", ExifItem.bytes(exif)) + ISOBox.bytes("xml ", packet)
        + ISOBox.bytes("jxlc", [0xFF, 0x0A]),
    ]
    for (name, bytes) in files {
      #expect(isReplaced(try folder.write(bytes, to: name)) == isOwn, "\(name)")
    }
  }

  @Test func othersAreNot() throws {
    let raw = try SmallRaw()
    #expect(!isReplaced(raw.path))
    #expect(!isReplaced(try raw.files.write("mine", to: "text.png")))
    #expect(isReplaced(try raw.files.write("", to: "empty.png")))
  }

  /// Exif of two entries that names this software.
  private func exif(_ software: String) -> [UInt8] {
    var tiff = TIFFStructure()
    tiff.header(first: 8)
    let text = Array(software.utf8) + [0]
    tiff.directory([(0x0131, 2, text.count, [26, 0, 0, 0])], next: 0)
    return tiff.bytes + text
  }

  /// Files with only the name of their software, which no decoder opens: none is decoded.
  @Test(arguments: [(RawdevVersion.name, true), ("other", false)])
  func noDecoderIsAsked(software: String, isOwn: Bool) throws {
    let folder = try TestFolder()
    let exif = exif(software)
    let item = ExifItem.bytes(exif)
    let chunk = PNGChunk.bytes(PNGChunk.exif, exif)
    // Of the name and the data.
    let sum = chunk.dropFirst(4).withUnsafeBytes(ZlibStream.crc32)
    let files: [String: [UInt8]] = [
      "a.tif": exif,
      "a.jpg": [0xFF, 0xD8] + JPEGIdentifier.exif.segment(exif) + [0xFF, 0xD9],
      "a.png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk + sum.bytes(bigEndian: true),
      "a.jxl": ISOBox.bytes("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
        + ISOBox.bytes("Exif", item) + ISOBox.bytes("jxlc", [0xFF, 0x0A]),
    ]
    for (name, bytes) in files {
      #expect(isReplaced(try folder.write(bytes, to: name)) == isOwn, "\(name)")
    }
  }
}
