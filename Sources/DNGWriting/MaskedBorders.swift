import ImageCore
import RawDecode

/// MaskedAreas of a raw that is not a DNG (tag 50830): the borders used by LibRaw for the camera's
/// black, as top, left, bottom, right.
///
/// Readers prefer black measured there to BlackLevel: LibRaw, dcraw and RawTherapee use the mean,
/// rawspeed and darktable the median of each filter position. So areas are written only if both
/// equal BlackLevel, rounded to integers; else these readers would render the DNG differently. None
/// for cameras whose borders LibRaw does not know.
struct MaskedBorders {
  /// Edges of the areas, in order; empty if none may be written.
  let edges: [Int]

  /// Maximum period of filters and black for separate positions.
  private static let maxPositions = 64

  init(_ info: RawInfo, _ data: SensorData) {
    edges =
      Self.agree(info, data)
      ? info.maskedAreas.flatMap { [$0.y, $0.x, $0.endY, $0.endX] } : []
  }

  private static func agree(_ info: RawInfo, _ data: SensorData) -> Bool {
    let levels = data.levels
    guard !info.maskedAreas.isEmpty, case .mosaic(let cfa) = data.layout,
      data.samples.format == .uint16,
      info.maskedAreas.allSatisfy({ PixelRect(data.size).contains($0) })
    else { return false }
    let width = leastCommonMultiple(cfa.width, levels.patternWidth)
    let height = leastCommonMultiple(cfa.height, levels.patternHeight)
    guard width * height <= maxPositions else { return false }
    var histograms = [[Int]](
      repeating: [Int](repeating: 0, count: 65536), count: width * height)
    let origin = info.activeArea
    func phase(_ position: Int, _ period: Int) -> Int {
      (position % period + period) % period
    }
    for area in info.maskedAreas {
      for y in area.y..<area.endY {
        let row = unsafe data.samples.counts(row: y)
        let first = phase(y - origin.y, height) * width
        for x in area.x..<area.endX {
          unsafe histograms[first + phase(x - origin.x, width)][Int(row[x])] += 1
        }
      }
    }
    return histograms.indices.allSatisfy { position in
      let histogram = histograms[position]
      let count = histogram.reduce(0, +)
      guard count > 0 else { return false }
      let sum = histogram.enumerated().reduce(0) { $0 + $1.offset * $1.element }
      var below = 0
      let median = histogram.firstIndex { number in
        below += number
        return 2 * below >= count
      }
      let black =
        levels.black[
          position / width % levels.patternHeight * levels.patternWidth
            + position % width % levels.patternWidth]
      return Float(sum / count) == black && median.map { Float($0) } == black
    }
  }
}
