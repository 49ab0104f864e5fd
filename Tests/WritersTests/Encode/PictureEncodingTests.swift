import Codecs
import Formats
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Writers

struct PictureEncodingTests {
  @Test("Code values do not depend on the position of the grid")
  func gridIndependence() throws {
    let picture = AnalyticPicture.textured(130, 70)
    let encoding = PictureEncoding(
      signal: HDRSignal.pq, toneMapping: BT2390(sourceNits: 800, targetNits: 400),
      conversion: YCbCrConversion(matrix: .bt2020, bits: 10), siting: .topLeft)
    func codes(_ rect: PixelRect) throws -> YCbCrPlanes {
      let linear = try PlanarBuffer(size: PixelSize(width: 131, height: 71))
      let scratch = try PlanarBuffer(size: PixelSize(width: 130, height: 1))
      try picture.read(encoding.source(of: rect), into: linear)
      let planes = try YCbCrPlanes(size: rect.size, chroma: .yuv420)
      _ = encoding.encode(linear, rect: rect, scratch: scratch, into: planes)
      return planes
    }
    let complete = try codes(PixelRect(picture.size))
    let part = try codes(PixelRect(x: 34, y: 22, width: 96, height: 48))
    for plane in 0..<3 {
      let (dx, dy) = plane == 0 ? (34, 22) : (17, 11)
      let size = plane == 0 ? part.size : part.chromaSize
      for y in 0..<size.height {
        for x in 0..<size.width {
          #expect(part.row(plane, y)[x] == complete.row(plane, y + dy)[x + dx])
        }
      }
    }
  }
}
