import Foundation
import HDRRender
import ImageCore
import SyntheticRaw
import Testing

/// The gain map between the two renditions of a scene that has what photographs have: glints,
/// leaves and a zone plate of one pixel, whose gains no map of half the size can hold, and much
/// that it can.
@Suite struct GainMapSceneTests {
  static let size = PixelSize(width: 1200, height: 800)

  static func rendition(_ amount: Float) throws -> Image<DisplayReferred> {
    let scene = SyntheticScene(size: size)
    let linear = try Image<SceneLinear>(size: size, info: .init(peak: 16)) { planes in
      for y in 0..<size.height {
        planes.withRow(0, y) { r in
          planes.withRow(1, y) { g in
            planes.withRow(2, y) { b in
              for x in 0..<size.width {
                let c = scene.light(x: Float(x) + 0.5, y: Float(y) + 0.5)
                (r[x], g[x], b[x]) = (c.x, c.y, c.z)
              }
            }
          }
        }
      }
    }
    let renderer = HDRRenderer(
      .init(extendedDynamicRangeAmount: amount, primaries: .displayP3), scenePeak: 16)
    return try Image(rendering: renderer.render(linear))
  }

  @Test func theHighRenditionComesBack() throws {
    let (standard, high) = (try Self.rendition(0), try Self.rendition(1))
    for kind in [GainMapCreation.Kind.luminance, .rgb] {
      let result = try GainMapCreation(kind: kind).map(from: standard, to: high)
      let picture = GainMapPicture(
        base: standard, map: result.image, formula: .iso(result.metadata))
      let shown = try Image(
        rendering: picture.rendition(displayHeadroom: picture.headrooms.upperBound))
      let weights = SIMD3<Float>(Primaries.displayP3.luminance)
      var errors: [Double] = []
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let (a, b) = (shown[x, y], high[x, y])
          let pairs =
            kind == .luminance
            ? [((a * weights).sum(), (b * weights).sum())] : (0..<3).map { (a[$0], b[$0]) }
          for (p, q) in pairs {
            errors.append(abs(log2((Double(p) + 1 / 64) / (Double(q) + 1 / 64))))
          }
        }
      }
      errors.sort()
      let mean = errors.reduce(0, +) / Double(errors.count)
      let p95 = errors[errors.count * 95 / 100]
      print(
        """
        \(kind): mean \(mean), 95 % \(p95), 99.9 % \(errors[errors.count * 999 / 1000]) stops; \
        gains
        """,
        result.metadata.channels.map { ($0.minimumStops, $0.maximumStops) }, "headroom",
        exp2(result.metadata.alternateHeadroomStops))
      #expect(mean < 0.02)
      #expect(p95 < 0.1)
      #expect(abs(result.metadata.alternateHeadroomStops - 4) < 0.01)
    }
  }
}
