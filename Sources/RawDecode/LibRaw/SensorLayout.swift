import ImageCore

extension SensorData.Layout {
  /// The layout of a camera raw, from LibRaw's filter codes at the visible area's first pixel.
  init(_ metadata: LibRawMetadata) {
    guard metadata.filters != 0 else {
      self = metadata.colors == 1 ? .monochrome : .linear
      return
    }
    let channels = Self.channels(metadata)
    let (width, height) = (metadata.filterPeriod.width, metadata.filterPeriod.height)
    let pattern = metadata.filterIndices.map { (0..<4).contains($0) ? channels[$0] : 1 }
    // LibRaw's eight rows repeat after two for nearly every sensor.
    let repeats = { (rows: Int) in
      pattern.indices.allSatisfy { pattern[$0] == pattern[$0 % (rows * width)] }
    }
    let rows = [2, 4].first { height == 8 && repeats($0) } ?? height
    self = .mosaic(
      CFA(width: width, height: rows, channels: Array(pattern.prefix(rows * width))))
  }

  /// Channel of each of LibRaw's four filter indices: 0 red, 1 green, 2 blue for three-color
  /// sensors, whose fourth is the second green; four-color sensors keep their own numbers.
  private static func channels(_ metadata: LibRawMetadata) -> [UInt8] {
    let letters: [Character] = ["R", "G", "B"]
    let known = metadata.letters.prefix(3).compactMap { letters.firstIndex(of: $0) }
    if metadata.colors == 4 || Set(known).count != 3 {
      return [0, 1, 2, metadata.colors == 4 ? 3 : 1]
    }
    return known.map { UInt8($0) } + [1]
  }
}
