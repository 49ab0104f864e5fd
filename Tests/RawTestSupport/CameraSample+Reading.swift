import ImageCore
package import SyntheticRaw

@testable import RawDecode

extension CameraSample {
  /// All samples, as the installed LibRaw reads them.
  package static let all = examples.map { $0.read(byLibRaw: LibRawVersion.installed.minor) }

  /// A noisy scene in which neighbors differ a little, much, and as much as they can.
  package func busy() -> CameraContainer {
    let (width, height) = (crop.width, crop.height)
    var raw = exposed(noise: 4e-4) { x, y in
      let wave = SensorFixture.hash(x / 7, y / 5)
      let level = y < height / 2 ? Float(x) / Float(width) : wave * wave * 3
      return SIMD3(level, level * 0.7, level * wave)
    }
    raw.arw6.curve = SonyARW6Curve.values
    return raw
  }
}
