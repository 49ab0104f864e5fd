import ImageCore

/// Black and white of a camera raw from LibRaw, at full precision: a common black, one for each
/// filter, and a repeating pattern, all relative to the visible area; white is the declared
/// maximum, or the linear maximum of a channel if the maker gives a plausible one. If no black is
/// known it is measured in the masked border, or for Phase One backs read from the file. Cameras
/// that LibRaw does not list use the table's levels if these apply (`TableLevels`). A declared
/// maximum above the true saturation is not corrected here; `SaturationLevel` of RawSensor
/// determines where a channel saturates.
enum CameraLevels {
  /// The levels of a raw. Either its black is known after decoding, or can be measured: `area` is
  /// the visible area, `row` returns the samples left of it in each row of the stored picture. Or
  /// it was only opened, with the black `measured` for each of LibRaw's four filters.
  static func read(
    _ metadata: LibRawMetadata, _ row: ((_ y: Int) -> CodeRowView)? = nil,
    layout: SensorData.Layout,
    area: PixelRect, measured: [Double]? = nil, path: String?
  ) throws(RAWError) -> SensorLevels {
    let table = TableLevels(metadata, camera: metadata.tableCamera)
    let common = measured == nil ? metadata.black : 0
    let pattern = measured == nil ? metadata.blackPattern : LibRawMetadata.BlackPattern()
    let hasPattern = !pattern.values.isEmpty
    var (width, height) = (1, 1)
    var planes = 1
    switch layout {
    case .linear: planes = 3
    case .monochrome: break
    // LibRaw distinguishes the two greens, so its own pattern applies, not that of three channels.
    case .mosaic: (width, height) = (metadata.filterPeriod.width, metadata.filterPeriod.height)
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
            case .mosaic: metadata.filter(row: row, column: column)
            default: plane
            }
          let index = min(max(filter, 0), 3)
          black.append(Float(local + (measured?[index] ?? metadata.channelBlack[index])))
        }
      }
    }
    if layout != .linear, black.allSatisfy({ $0 == 0 }), let row,
      let masked = maskedBlack(row, area, maximum: metadata.maximum)
    {
      black = black.map { _ in masked }
      blackOrigin = FactOrigin(.masked)
    }
    if black.allSatisfy({ $0 == 0 }), metadata.backBlack > 0 {
      black = black.map { _ in Float(metadata.backBlack) }
    }
    if layout != .linear, black.allSatisfy({ $0 == 0 }), let known = table.black {
      black = black.indices.map { index in
        let (row, column) = (index / width, index % width)
        return Float(
          known[layout == .monochrome ? 1 : metadata.filter(row: row, column: column) & 3])
      }
      blackOrigin = table.blackOrigin
    }

    let white = table.white.flatMap { $0.min() ?? 0 > Double(black.max() ?? 0) ? $0 : nil }
    let maximum = white?.max() ?? metadata.maximum
    let highest = Double(black.max() ?? 0)
    guard maximum > highest else {
      throw RAWError(
        .damaged, .decode,
        "its white level \(maximum) is not above its black level \(highest); copy the file again",
        path: path)
    }
    let linear = white ?? metadata.linearMaxima
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

  /// The median of the border left of the visible area, if it is wide enough and dark: at most a
  /// tenth of the maximum.
  private static func maskedBlack(
    _ row: (_ y: Int) -> CodeRowView, _ area: PixelRect, maximum: Double
  ) -> Float? {
    guard area.x >= 16 else { return nil }
    var histogram = [Int](repeating: 0, count: 65536)
    // The outermost columns and the columns next to the visible area are unreliable.
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
