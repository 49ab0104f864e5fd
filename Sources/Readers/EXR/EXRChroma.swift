import EXRCodec
import ImageCore

/// Subsampled RY and BY of the complete data window, interpolated linearly.
struct EXRChroma {
  private let stepX, stepY: Int
  private let size: PixelSize
  private var red, blue: [Float]

  init(_ channel: EXRDecoder.Channel, _ window: PixelSize) {
    (stepX, stepY) = (channel.stepX, channel.stepY)
    size = PixelSize(
      width: (window.width - 1) / stepX + 1, height: (window.height - 1) / stepY + 1)
    red = [Float](repeating: 0, count: size.area)
    blue = red
  }

  mutating func set(isBlue: Bool, x: Int, y: Int, _ value: Float) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    if isBlue { blue[y * size.width + x] = value } else { red[y * size.width + x] = value }
  }

  /// At a pixel of the window.
  func value(x: Int, y: Int) -> (red: Float, blue: Float) {
    let (left, top) = (min(x / stepX, size.width - 1), min(y / stepY, size.height - 1))
    let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
    let (across, down) = (Float(x % stepX) / Float(stepX), Float(y % stepY) / Float(stepY))
    func between(_ plane: [Float]) -> Float {
      func row(_ y: Int) -> Float {
        let (a, b) = (plane[y * size.width + left], plane[y * size.width + right])
        return a + (b - a) * across
      }
      let (a, b) = (row(top), row(bottom))
      return a + (b - a) * down
    }
    return (between(red), between(blue))
  }
}
