import Formats
import HDRRender
import ImageCore

/// Display-linear values to planes of code values: tone mapping where the picture exceeds the
/// format's peak, transfer function, YCbCr matrix, chroma filter. A pixel depends on its neighbors
/// only through the chroma filter, and those are read from outside the tile: tiles leave no seams.
struct PictureEncoding: Sendable {
  /// From linear values to signal; nil where the samples are signal already, 0…1.
  let signal: (any RowSignal)?
  let toneMapping: BT2390?
  let conversion: YCbCrConversion
  /// nil for 4:4:4 and for monochrome.
  let siting: ChromaSiting?

  /// Rectangle to read for the part `rect` of a tile: with the column to its left and the row
  /// above, where the chroma filter needs them and the picture has them.
  func source(of rect: PixelRect) -> PixelRect {
    let (left, above) = (min(rect.x, overlap.x), min(rect.y, overlap.y))
    return PixelRect(
      x: rect.x - left, y: rect.y - above, width: rect.width + left, height: rect.height + above)
  }

  /// Columns and rows by which a source rectangle overlaps its left and upper neighbors.
  var overlap: PixelPoint {
    func one(_ weights: SIMD3<Float>?) -> Int { weights.map { $0.x > 0 ? 1 : 0 } ?? 0 }
    return PixelPoint(x: one(siting?.horizontal), y: one(siting?.vertical))
  }

  /// Encodes the part `rect` of a tile, whose first row and column are even, from the linear values
  /// of its source rectangle, which are overwritten; its first pixel is written at `position` of
  /// `codes`, whose column and row are even, too. Up to a vector to its right is overwritten.
  /// `scratch` has at least one row of the part's width.
  func encode(
    _ linear: PlanarBuffer, rect: PixelRect, scratch: PlanarBuffer, into codes: YCbCrPlanes,
    at position: PixelPoint = PixelPoint(x: 0, y: 0)
  ) -> ContentLightStatistics {
    let source = source(of: rect)
    let (left, above) = (rect.x - source.x, rect.y - source.y)
    if let toneMapping {
      for y in 0..<source.height {
        toneMapping.apply(linear.rows(y))
      }
    }
    var statistics = ContentLightStatistics()
    statistics.add(
      linear, in: PixelRect(x: left, y: above, width: rect.width, height: rect.height))
    for y in 0..<source.height {
      let rows = linear.rows(y)
      signal?.encode(rows)
      let luma = y < above ? nil : codes.row(0, position.y + y - above).from(position.x - left)
      conversion.convert(rows, luma: luma)
      for row in [rows.green, rows.blue] {
        row[-1] = row[0]
        row[source.width] = row[source.width - 1]
      }
    }
    guard codes.hasChroma else { return statistics }
    if let siting {
      subsample(
        linear, siting, rect.size, left: left, above: above, scratch, into: codes,
        PixelPoint(x: position.x / 2, y: position.y / siting.rowStep))
    } else {
      copyChroma(linear, into: codes, position)
    }
    return statistics
  }

  private func copyChroma(
    _ linear: PlanarBuffer, into codes: YCbCrPlanes, _ position: PixelPoint
  ) {
    for plane in 1...2 {
      for y in 0..<linear.size.height {
        conversion.codes(
          linear.row(plane, y), count: linear.size.width,
          into: codes.row(plane, position.y + y).from(position.x))
      }
    }
  }

  private func subsample(
    _ linear: PlanarBuffer, _ siting: ChromaSiting, _ size: PixelSize, left: Int, above: Int,
    _ scratch: PlanarBuffer, into codes: YCbCrPlanes, _ position: PixelPoint
  ) {
    let step = siting.rowStep
    let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + step - 1) / step)
    let last = linear.size.height - 1
    let blended = scratch.row(0, 0)
    for plane in 1...2 {
      for y in 0..<half.height {
        let at = step * y + above
        siting.blend(
          linear.row(plane, max(at - 1, 0)).from(left), linear.row(plane, at).from(left),
          linear.row(plane, min(at + 1, last)).from(left), count: size.width, into: blended)
        siting.decimate(
          blended, count: half.width, conversion,
          into: codes.row(plane, position.y + y).from(position.x))
      }
    }
  }
}
