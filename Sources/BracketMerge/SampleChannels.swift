import ImageCore
import RawDecode

/// The channel of each sample of a picture, whatever its layout.
struct SampleChannels: Sendable {
  let size: PixelSize
  /// Samples of a pixel, side by side.
  let perPixel: Int
  let patternWidth: Int
  let patternHeight: Int
  private let channels: [Int]

  init(_ size: PixelSize, _ layout: SensorData.Layout) {
    self.size = size
    switch layout {
    case .mosaic(let cfa):
      (perPixel, patternWidth, patternHeight) = (1, cfa.width, cfa.height)
      channels = cfa.channels.map(Int.init)
    case .monochrome:
      (perPixel, patternWidth, patternHeight) = (1, 1, 1)
      channels = [0]
    case .linear:
      (perPixel, patternWidth, patternHeight) = (3, 1, 1)
      channels = [0, 1, 2]
    }
  }

  /// Samples of a row.
  var rowCount: Int { size.width * perPixel }
  /// Samples after which a row repeats its channels.
  var period: Int { patternWidth * perPixel }

  /// The channel of sample `sample` of row `y`.
  func channel(_ sample: Int, _ y: Int) -> Int {
    channels[y % patternHeight * period + sample % period]
  }

  /// The value of each sample of one period of row `y`.
  func row(_ y: Int, of values: SIMD4<Float>) -> [Float] {
    (0..<period).map { values[channel($0, y)] }
  }
}
