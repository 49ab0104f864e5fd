import ImageCore
import RawData

/// Validates the input of the sensor stages, so that their loops cannot fail.
enum SensorInput {
  /// Photosites that one row of color filter patterns may cover in any picture; of large ones a
  /// quarter.
  private static let largestPattern = 1 << 22

  static func check(
    _ data: SensorData, _ balance: SIMD4<Float>, _ settings: SensorSettings
  ) throws(RAWError) {
    let size = data.size
    guard size.width >= 2, size.height >= 2 else {
      throw damaged("the active area is only \(size) photosites; at least 2x2 are needed")
    }
    let perPixel = data.samplesPerPixel
    guard size.width <= data.samples.stride / perPixel, size.height <= data.samples.rows else {
      throw damaged("the file holds fewer samples than its size of \(size) needs")
    }
    if case .mosaic(let cfa) = data.layout {
      guard size.width >= cfa.width, size.height >= cfa.height else {
        throw damaged("the active area of \(size) is smaller than the color filter pattern")
      }
      // Tables as wide as the picture are stored for each row of the pattern.
      guard cfa.height * size.width <= max(size.area / 4, Self.largestPattern) else {
        throw damaged("the active area of \(size) is too low for its color filter pattern")
      }
      // One, three or four colors, each of which must occur in the pattern.
      guard cfa.channelCount != 2, Set(cfa.channels).count == cfa.channelCount else {
        throw RAWError(
          .unsupported, .sensor,
          "its color filter pattern lacks a color; check the file with another program")
      }
    }
    try check(data.levels, size, perPixel)
    for gains in [balance, settings.white] {
      guard (0..<4).allSatisfy({ gains[$0].isFinite && gains[$0] > 0 }) else {
        throw RAWError(
          .badSetting, .sensor, "the white balance \(gains) must be four gains above 0")
      }
    }
    let matrix = settings.fourColorToRGB
    guard matrix.isEmpty || (matrix.count == 12 && matrix.allSatisfy { $0.isFinite }) else {
      throw RAWError(
        .badSetting, .sensor, "the four-color matrix must have 12 numbers, not \(matrix.count)")
    }
  }

  private static func check(
    _ levels: SensorLevels, _ size: PixelSize, _ perPixel: Int
  ) throws(RAWError) {
    guard levels.patternWidth > 0, levels.patternHeight > 0,
      levels.black.count / perPixel / levels.patternWidth == levels.patternHeight,
      levels.black.count == levels.patternWidth * levels.patternHeight * perPixel
    else { throw damaged("the black level pattern does not fit its size") }
    guard levels.deltaColumn.isEmpty || levels.deltaColumn.count >= size.width,
      levels.deltaRow.isEmpty || levels.deltaRow.count >= size.height
    else { throw damaged("the black level of single rows or columns does not fit the picture") }
    guard
      levels.curves.isEmpty
        || levels.curves.count == perPixel && levels.curves.allSatisfy({ $0.count == 65536 })
    else { throw damaged("the curves of its levels do not fit its samples") }
    let blacks = [levels.black, levels.deltaColumn, levels.deltaRow]
    guard blacks.allSatisfy({ $0.allSatisfy { $0.isFinite } }),
      (0..<4).allSatisfy({ levels.scale[$0].isFinite && levels.scale[$0] > 0 })
    else { throw damaged("black or white level is not a usable number") }
  }

  private static func damaged(_ what: String) -> RAWError {
    RAWError(.damaged, .sensor, "\(what); check the file with another program")
  }
}
