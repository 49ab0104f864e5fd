import ImageCore

/// Black and white of a camera raw as LibRaw reads them, kept in full: a common black, one for each
/// filter, and a repeating pattern, all relative to the visible area; white is the declared
/// maximum, or a channel's own linear maximum where the maker gives a believable one. When no black
/// is known it is measured in the masked border, or that of a Phase One back is taken. Cameras that
/// LibRaw does not list have the levels of the table where these apply (`TableLevels`). A declared
/// maximum above the true saturation is kept here; `SaturationLevel` of RawSensor finds where a
/// channel saturates.
enum CameraLevels {
  /// The levels of a raw that was decoded before `facts` were read, or whose black LibRaw knows
  /// before, with the visible `area` and what lies left of it in each `row` of the stored picture;
  /// or of one that is only opened, with the black `measured` of each of LibRaw's four filters.
  static func read(
    _ facts: LibRawFacts, _ row: ((_ y: Int) -> CodeRowView)? = nil, layout: SensorData.Layout,
    area: PixelRect, measured: [Double]? = nil, path: String?
  ) throws(RAWError) -> SensorLevels {
    let table = TableLevels(facts, camera: facts.tableCamera)
    let common = measured == nil ? facts.black : 0
    let pattern = measured == nil ? facts.blackPattern : LibRawFacts.BlackPattern()
    let hasPattern = !pattern.values.isEmpty
    var (width, height) = (1, 1)
    var planes = 1
    switch layout {
    case .linear: planes = 3
    case .monochrome: break
    // LibRaw tells the two greens apart, so its own pattern counts, not the three channels'.
    case .mosaic: (width, height) = (facts.filterPeriod.width, facts.filterPeriod.height)
    }
    if hasPattern {
      width = leastCommonMultiple(width, pattern.columns)
      height = leastCommonMultiple(height, pattern.rows)
    }
    guard width * height <= 1 << 20 else {
      throw RAWError(
        .damaged, .decode, "its black levels are invalid; copy the file again", path: path)
    }
    var black: [Float] = []
    var blackOrigin = FactOrigin.libRaw
    black.reserveCapacity(width * height * planes)
    for row in 0..<height {
      for column in 0..<width {
        let local = common + (hasPattern ? pattern[row, column] : 0)
        for plane in 0..<planes {
          let filter =
            switch layout {
            case .mosaic: facts.filter(row: row, column: column)
            default: plane
            }
          let index = min(max(filter, 0), 3)
          black.append(Float(local + (measured?[index] ?? facts.channelBlack[index])))
        }
      }
    }
    if layout != .linear, black.allSatisfy({ $0 == 0 }), let row,
      let masked = maskedBlack(row, area, maximum: facts.maximum)
    {
      black = black.map { _ in masked }
      blackOrigin = FactOrigin(.masked)
    }
    if black.allSatisfy({ $0 == 0 }), facts.backBlack > 0 {
      black = black.map { _ in Float(facts.backBlack) }
    }
    if layout != .linear, black.allSatisfy({ $0 == 0 }), let known = table.black {
      black = black.indices.map { index in
        let (row, column) = (index / width, index % width)
        return Float(known[layout == .monochrome ? 1 : facts.filter(row: row, column: column) & 3])
      }
      blackOrigin = table.blackOrigin
    }

    let white = table.white.flatMap { $0.min() ?? 0 > Double(black.max() ?? 0) ? $0 : nil }
    let maximum = white?.max() ?? facts.maximum
    let highest = Double(black.max() ?? 0)
    guard maximum > highest else {
      throw RAWError(
        .damaged, .decode,
        "its white level \(maximum) is not above its black level \(highest); copy the file again",
        path: path)
    }
    let linear = white ?? facts.linearMaxima
    var scale = SIMD4<Float>()
    for channel in 0..<4 {
      let believable = linear[channel] > 0.75 * maximum && linear[channel] <= maximum
      let white = believable && linear[channel] > highest ? linear[channel] : maximum
      scale[channel] = Float(1 / (white - highest))
    }
    var levels = SensorLevels(
      patternWidth: width, patternHeight: height, black: black, scale: scale)
    levels.blackOrigin = blackOrigin
    levels.whiteOrigin = white == nil ? .libRaw : table.whiteOrigin
    return levels
  }

  /// The median of the border left of the visible area, when it is wide enough and dark: at most a
  /// tenth of the maximum.
  private static func maskedBlack(
    _ row: (_ y: Int) -> CodeRowView, _ area: PixelRect, maximum: Double
  ) -> Float? {
    guard area.x >= 16 else { return nil }
    var histogram = [Int](repeating: 0, count: 65536)
    // The outermost columns and those next to the visible area are unreliable.
    for y in area.y..<area.endY {
      let row = row(y)
      for x in 4..<area.x - 4 { histogram[Int(row[x])] += 1 }
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
    return Double(median * 10) <= maximum ? Float(median) : nil
  }
}
