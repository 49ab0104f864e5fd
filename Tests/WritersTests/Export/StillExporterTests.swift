import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Export
@testable import Writers

@Suite struct StillExporterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Levels are measured and a mastering display is derived unless the caller gives them.
  @Test(arguments: [EncoderSettings.Container.heif, .avif])
  func lightIsMeasuredOrStated(container: EncoderSettings.Container) throws {
    let picture = AnalyticPicture.smooth(130, 90, headroom: 4)
    let source = PictureFormat(
      .hdr10, primaries: .bt2020, bitDepth: 10, size: PixelSize(width: 130, height: 90))
    let exporter = try StillExporter(.template(.hdr10, source: source, container: container))
    let path = folder.file("a." + container.descriptor.extensions[0])
    let file = try exporter.write(DisplayPicture(picture), to: .replacing(path))
    #expect(file.statistics.maximumContentNits > 203)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func holds(_ box: [UInt8]) -> Bool {
      bytes.indices.contains { bytes[$0...].starts(with: box) }
    }
    let measured = HDRMetadata.ContentLight(file.statistics)
    #expect(holds(HEIFProperty.contentLight(measured).box) && holds(Array("mdcv".utf8)))
    var hdrMetadata = HDRMetadata()
    hdrMetadata.contentLight = .init(maximumNits: 1000, averageNits: 203)
    let other = try exporter.write(DisplayPicture(picture), hdrMetadata: hdrMetadata, to: .memory)
    let stated = try #require(other.contents)
    let box: [UInt8] = [0, 0, 0, 0x0C, 0x63, 0x6C, 0x6C, 0x69, 0x03, 0xE8, 0x00, 0xCB]
    #expect(stated.indices.contains { stated[$0...].starts(with: box) })
    let png = try StillExporter(.template(.hdr10, source: source, container: .png))
    _ = try png.write(
      DisplayPicture(picture), hdrMetadata: hdrMetadata, to: .replacing(folder.file("c.png")))
    let chunks = [UInt8](try Data(contentsOf: URL(filePath: folder.file("c.png"))))
    let chunk = Array("cLLI".utf8) + [0x00, 0x98, 0x96, 0x80, 0x00, 0x1E, 0xF9, 0xB0]
    #expect(chunks.indices.contains { chunks[$0...].starts(with: chunk) })
  }
}
