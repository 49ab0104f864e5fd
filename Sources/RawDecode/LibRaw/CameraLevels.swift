import CLibRaw
import Containers
import ImageCore

/// Black and white of a camera raw as LibRaw reads them, kept in full: a common black, one for each
/// filter, and a repeating pattern, all relative to the visible area; white is the declared
/// maximum, or a channel's own linear maximum where the maker gives a believable one. When no black
/// is known it is measured in the masked border. Known failure: cameras whose declared maximum is
/// above the true saturation, which shows as colored highlights.
enum CameraLevels {
  /// The levels of the unpacked `handle`, whose visible area is `area`; or of one that is only
  /// opened, with the black `measured` of each of LibRaw's four filters.
  static func read(
    _ handle: LibRawHandle, _ facts: LibRawFacts, layout: SensorData.Layout, area: PixelRect,
    measured: [Double]? = nil
  ) throws(RAWError) -> SensorLevels {
    let color = handle.data
    let common = measured == nil ? Double(color.pointee.color.black) : 0
    let patternRows = measured == nil ? Int(handle.black(4)) : 0
    let patternColumns = measured == nil ? Int(handle.black(5)) : 0
    let hasPattern = patternRows > 0 && patternColumns > 0 && patternRows * patternColumns <= 4096
    var (width, height) = (1, 1)
    var planes = 1
    switch layout {
    case .linear: planes = 3
    case .monochrome: break
    // LibRaw tells the two greens apart, so its own pattern counts, not the three channels'.
    case .mosaic:
      (width, height) = facts.filters == 1 ? (16, 16) : facts.filters == 9 ? (6, 6) : (2, 8)
    }
    if hasPattern {
      width = leastCommonMultiple(width, patternColumns)
      height = leastCommonMultiple(height, patternRows)
    }
    guard width * height <= 1 << 20 else {
      throw RAWError(.damaged, .decode, "its black levels make no sense", path: handle.bytes.path)
    }
    var black: [Float] = []
    black.reserveCapacity(width * height * planes)
    for row in 0..<height {
      for column in 0..<width {
        let entry =
          6 + (row % max(patternRows, 1)) * patternColumns + column % max(patternColumns, 1)
        let local = common + (hasPattern ? handle.black(entry) : 0)
        for plane in 0..<planes {
          let filter =
            switch layout {
            case .mosaic: handle.filter(row: row, column: column)
            default: plane
            }
          let index = min(max(filter, 0), 3)
          black.append(Float(local + (measured?[index] ?? handle.black(index))))
        }
      }
    }
    if layout != .linear, black.allSatisfy({ $0 == 0 }), let masked = maskedBlack(handle, area) {
      black = black.map { _ in masked }
    }

    let maximum = Double(color.pointee.color.maximum)
    let highest = Double(black.max() ?? 0)
    guard maximum > highest else {
      throw RAWError(
        .damaged, .decode, "its white level \(maximum) is not above its black \(highest)",
        path: handle.bytes.path)
    }
    let linear = elements(color.pointee.color.linear_max, of: Int.self).map(Double.init)
    var scale = SIMD4<Float>()
    for channel in 0..<4 {
      let believable = linear[channel] > 0.75 * maximum && linear[channel] <= maximum
      let white = believable && linear[channel] > highest ? linear[channel] : maximum
      scale[channel] = Float(1 / (white - highest))
    }
    return SensorLevels(patternWidth: width, patternHeight: height, black: black, scale: scale)
  }

  /// The median of the border left of the visible area, when it is wide enough and dark: at most a
  /// tenth of the maximum.
  private static func maskedBlack(_ handle: LibRawHandle, _ area: PixelRect) -> Float? {
    guard let start = handle.data.pointee.rawdata.raw_image, area.x >= 16 else { return nil }
    let pitch = Int(handle.data.pointee.sizes.raw_pitch) / 2
    var histogram = [Int](repeating: 0, count: 65536)
    // The outermost columns and those next to the visible area are unreliable.
    for y in area.y..<area.endY {
      for x in 4..<area.x - 4 { histogram[Int(start[y * pitch + x])] += 1 }
    }
    let half = (area.x - 8) * area.height / 2
    var sum = 0
    guard
      let median = histogram.firstIndex(where: {
        sum += $0; return sum > half
      })
    else {
      return nil
    }
    let maximum = Int(handle.data.pointee.color.maximum)
    return median * 10 <= maximum ? Float(median) : nil
  }

  private static func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return a / max(x, 1) * b
  }
}
