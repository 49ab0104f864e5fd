import Foundation
import ImageCore
import Testing

@testable import Containers

struct XMPWriterTests {
  private let capture = CaptureMetadata(entries: [
    ExifEntry(.exif, 0x9003, .ascii("2024:05:06 07:08:09"))
  ])

  @Test("XMP is created where missing, else passed on with upright orientation")
  func xmp() {
    let made = String(decoding: XMPWriter.packet(capture, format: "image/heif"), as: UTF8.self)
    #expect(made.contains("xmp:CreateDate=\"2024-05-06T07:08:09\""))
    #expect(made.contains("tiff:Orientation=\"1\""))
    var own = capture
    own.xmp = Array(
      "<x><rdf:RDF><rdf:Description tiff:Orientation=\"8\" xmp:Rating=\"4\"/></rdf:RDF></x>".utf8)
    #expect(
      String(decoding: XMPWriter.packet(own, format: "image/heif"), as: UTF8.self)
        == "<x><rdf:RDF><rdf:Description tiff:Orientation=\"1\" xmp:Rating=\"4\"/></rdf:RDF></x>")
    own.xmp = Array(
      "<x><rdf:RDF><tiff:Orientation>6</tiff:Orientation></rdf:RDF></x>".utf8)
    #expect(
      String(decoding: XMPWriter.packet(own, format: "image/heif"), as: UTF8.self)
        .contains("<tiff:Orientation>1</tiff:Orientation>"))
    own.xmp = [0xFF, 0xFE, 0]
    #expect(
      String(decoding: XMPWriter.packet(own, format: "image/heif"), as: UTF8.self).contains(
        "rawdev"))
  }
}
