import Foundation
import ImageCore
import RawFilter

/// How far a developed picture is from the preview that the camera stored, as a check for grossly
/// wrong colors: a different look is allowed, a cast is not.
///
/// Both are averaged in linear values over the same 12 × 8 cells. The developed one is scaled to
/// the preview's luminance by the median ratio of the cells, whose log2 is `stops`; `chroma` is the
/// median over cells of the distance in a* and b* (CIELAB, D65), for cells of L* 10…95 in the
/// preview. Known failures: merges of several exposures; previews with a creative style, in other
/// aspect ratios, or in black and white; scenes of one color, whose cast and color are the same.
struct PreviewAgreement {
  /// Distances that a sound development keeps.
  static let limits = (stops: 2.0, chroma: 15.0)

  let stops: Double
  let chroma: Double

  private static let columns = 12
  private static let rows = 8

  /// Compares the development by `filter`, which renders a small picture, with its preview; nil
  /// without a preview, or where its aspect ratio differs.
  init?(_ filter: RAWFilter) throws(RAWError) {
    guard let preview = filter.previewImage, let decoded = preview.decode(maxSide: 640) else {
      return nil
    }
    let native = filter.nativeSize
    let proportions =
      Double(decoded.size.width * native.height) / Double(decoded.size.height * native.width)
    guard decoded.size.area > 100 * 60, (0.9...1.11).contains(proportions) else { return nil }
    var small = filter
    small.settings.orientation = .up
    small.extendedDynamicRangeAmount = 0
    let image = try small.outputImage().image
    let toXYZ = Primaries.bt2020.toXYZ
    let ours = Self.cells(image.size) { x, y in
      let value = image[x, y]
      return toXYZ * SIMD3(Double(value.x), Double(value.y), Double(value.z))
    }
    let fromSRGB = Primaries.srgb.toXYZ
    let colors = filter.rawFile.colors(of: preview)
    let theirs = Self.cells(decoded.size) { x, y in
      fromSRGB * colors.linear(decoded.rgb, at: 3 * (y * decoded.size.width + x))
    }
    let pairs = zip(ours, theirs).filter { $0.y > 1e-6 && (0.011...0.88).contains($1.y) }
    guard pairs.count >= 12 else { return nil }
    let ratio = Self.median(pairs.map { $1.y / $0.y })
    stops = log2(1 / ratio)
    chroma = Self.median(
      pairs.map { own, other in
        let (a, b) = (Self.chroma(own * ratio), Self.chroma(other))
        return hypot(a.x - b.x, a.y - b.y)
      })
  }

  /// The means over the cells of a picture of `size`, row by row.
  private static func cells(
    _ size: PixelSize, _ value: (_ x: Int, _ y: Int) -> SIMD3<Double>
  ) -> [SIMD3<Double>] {
    var cells: [SIMD3<Double>] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var (sum, count) = (SIMD3<Double>(), 0.0)
        for y in size.height * row / rows..<size.height * (row + 1) / rows {
          for x in size.width * column / columns..<size.width * (column + 1) / columns {
            sum += value(x, y)
            count += 1
          }
        }
        cells.append(sum / max(count, 1))
      }
    }
    return cells
  }

  /// CIE a* and b* for white D65.
  private static func chroma(_ xyz: SIMD3<Double>) -> SIMD2<Double> {
    let f = xyz / Chromaticity.d65.xyz
    func root(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
    return SIMD2(500 * (root(f.x) - root(f.y)), 200 * (root(f.y) - root(f.z)))
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
