import Containers
import ImageCore

/// Black and white of a DNG (chapter 5 of DNG 1.7.1): a repeating pattern of fractional black
/// levels, deltas for each column and row, and a white level for each plane. One scale per plane: 1
/// / (white − highest black), where highest black is the sum of the largest pattern value and the
/// largest row and column deltas, as in the DNG SDK.
package struct DNGLevels: Sendable {
  package let sensor: SensorLevels
  /// WhiteLevel of each plane.
  package let white: [Double]
  /// Whether a BlackLevel whose count does not match its pattern was ignored.
  let hasBlackLeftOut: Bool

  /// Minimum distance from black to white for integers: with a smaller one linear values would
  /// exceed the range in which they are computed.
  private static let minStep = 1.0

  /// Maximum level of samples: all values computed from it stay finite integers.
  private static let largest = 0x1p32

  init(
    _ raw: TIFFDirectory, storage: RawStorage, active: PixelSize, path: String?
  ) throws(RAWError) {
    let planes = storage.samplesPerPixel
    guard (1...4).contains(planes) else {
      throw RAWError(
        .unsupported, .open, "\(planes) samples per pixel are not supported; \(DNGSupport.remedy)",
        path: path)
    }
    let repeats = raw[DNGTag.blackLevelRepeatDim]?.integers ?? [1, 1]
    let rows = repeats.count == 2 ? repeats[0] : 1
    let columns = repeats.count == 2 ? repeats[1] : 1
    guard (1...64).contains(rows), (1...64).contains(columns) else {
      throw RAWError(
        .damaged, .open, "its BlackLevelRepeatDim is invalid; copy the file again", path: path)
    }
    let count = rows * columns * planes
    var black = raw[DNGTag.blackLevel]?.numbers ?? []
    // Some files omit the repeat dimensions of a uniform black level.
    if black.count != count, let first = black.first, black.allSatisfy({ $0 == first }) {
      black = Array(repeating: first, count: count)
    }
    hasBlackLeftOut = !black.isEmpty && black.count != count
    if black.count != count { black = Array(repeating: 0, count: count) }
    let deltaH = Self.deltas(raw[DNGTag.blackLevelDeltaH], active.width)
    let deltaV = Self.deltas(raw[DNGTag.blackLevelDeltaV], active.height)

    let full = storage.isFloat ? 1 : Double((1 << min(max(storage.bitsPerSample, 1), 32)) - 1)
    var white = raw[DNGTag.whiteLevel]?.numbers ?? []
    if white.isEmpty { white = [full] }
    white += Array(repeating: white[white.count - 1], count: max(0, planes - white.count))
    for levels in [white, black, deltaH, deltaV] {
      guard levels.allSatisfy({ abs($0) <= Self.largest }) else {
        throw RAWError(
          .damaged, .open, "its black or white levels are invalid; copy the file again",
          path: path)
      }
    }

    let (h, v) = (Self.highest(deltaH, columns), Self.highest(deltaV, rows))
    var scale = SIMD4<Float>(repeating: 1)
    for plane in 0..<planes {
      var highest = -Double.infinity
      for row in 0..<rows {
        for column in 0..<columns {
          highest = max(
            highest, black[(row * columns + column) * planes + plane] + h[column] + v[row])
        }
      }
      let step = white[plane] - highest
      guard step > 0, storage.isFloat || step >= Self.minStep else {
        throw RAWError(
          .damaged, .open,
          "its white level \(white[plane]) must be above its black level \(highest)"
            + (storage.isFloat ? "" : " by at least 1") + "; copy the file again",
          path: path)
      }
      scale[plane] = Float(1 / step)
    }
    // A mosaic has one plane; its channels have the same scale.
    if planes == 1 { scale = SIMD4(repeating: scale[0]) }
    self.white = white
    sensor = SensorLevels(
      patternWidth: columns, patternHeight: rows, black: black.map { Float($0) },
      deltaColumn: deltaH.map { Float($0) }, deltaRow: deltaV.map { Float($0) }, scale: scale)
  }

  /// The largest of `deltas` at each position of a pattern; 0 if there is none.
  private static func highest(_ deltas: [Double], _ period: Int) -> [Double] {
    var highest = [Double?](repeating: nil, count: period)
    for (index, delta) in deltas.enumerated() {
      highest[index % period] = max(highest[index % period] ?? delta, delta)
    }
    return highest.map { $0 ?? 0 }
  }

  private static func deltas(_ entry: TIFFEntry?, _ count: Int) -> [Double] {
    guard let values = entry?.numbers(atMost: count), values.count == count,
      values.contains(where: { $0 != 0 })
    else { return [] }
    return values
  }
}
