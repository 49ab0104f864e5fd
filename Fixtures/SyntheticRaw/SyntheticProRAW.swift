import Foundation
public import ImageCore

/// A file laid out tag for tag like Apple's ProRAW, whose every pixel is known: big endian, a JPEG
/// preview in IFD 0, balanced linear RGB through a LinearizationTable, a ProfileGainTableMap, a
/// tone curve and semantic mattes. Modelled on the header of an iPhone 12 Pro (iOS 14.3) and a dump
/// of an iPhone 13 Pro (iOS 15.4).
///
/// It shows ``SyntheticScene`` with a row of gray patches over it. A value of 1.0 is stored at
/// 2^−``Form/headroomStops`` of full scale in the strongest channel of a neutral.
public struct SyntheticProRAW: Sendable {
  /// How the file declares white balance and exposure.
  public enum Form: String, Sendable, CaseIterable {
    /// As an iPhone 13 Pro: pixels balanced, the gains that did it in AnalogBalance, AsShotNeutral
    /// 1 1 1, BaselineExposure +3.47.
    case analogBalance = "analog-balance"
    /// As an iPhone 12 Pro: pixels as the sensor saw them, AsShotNeutral 0.449 1 0.541, no
    /// AnalogBalance, BaselineExposure −0.302.
    case asShotNeutral = "as-shot-neutral"

    /// BaselineExposure in EV.
    public var baselineExposure: SignedRational {
      self == .analogBalance ? SignedRational(347, 100) : SignedRational(-302, 1000)
    }
    /// Stops from a scene value of 1.0 to full scale.
    public var headroomStops: Double { self == .analogBalance ? 3.47 : 2 }
    /// AsShotNeutral of the file.
    public var asShotNeutral: SIMD3<Double> {
      self == .analogBalance ? SIMD3(1, 1, 1) : SIMD3(0.449, 1, 0.541)
    }
    /// AnalogBalance of the file, or ones.
    public var analogBalance: SIMD3<Double> {
      self == .analogBalance ? SIMD3(2.37, 1, 1.92) : SIMD3(1, 1, 1)
    }
    var camera: SimulatedCamera { .phone }
  }

  /// Columns and rows.
  public var size: PixelSize
  /// How the file declares white balance and exposure.
  public var form: Form
  /// `.losslessJPEG` with 12 bits or `.jpegXL` with 10.
  public var compression = DNGWriter.Compression.losslessJPEG
  /// Butteraugli distance of JPEG XL; 0 is lossless.
  public var jpegXLDistance: Float = 0
  /// Size of a tile.
  public var tile = PixelSize(width: 504, height: 378)
  /// Points of the gain table map down and across: 48 and 62, or 6 and 8.
  public var mapPoints: (rows: Int, columns: Int)
  /// The Exif orientation of the stored picture.
  public var orientation = Orientation.up
  /// Whether pixels have the noise that NoiseProfile declares; without it every value is known.
  public var hasNoise = false
  /// NoiseProfile (S, O): variance S·x + O of a value x in 0…1, as phones declare it.
  static let noise = SIMD2(3e-5, 3e-8)

  /// The ProRAW of this form and size; small ones have small tiles.
  public init(size: PixelSize, form: Form) {
    self.size = size
    self.form = form
    mapPoints = form == .analogBalance ? (48, 62) : (6, 8)
    if size.width < 1008 {
      tile = PixelSize(width: max(1, size.width / 3), height: max(1, size.height / 3))
    }
  }

  /// Bits of a sample.
  public var bitsPerSample: Int { compression == .jpegXL ? 10 : 12 }

  /// The LinearizationTable: 4096 or 1024 entries up to 65535, a straight line and a parabola,
  /// which begins with a slope of about 2 for 12 bits.
  public var linearizationTable: [UInt16] {
    let last = Double((1 << bitsPerSample) - 1)
    return (0...Int(last)).map { code in
      let t = Double(code) / last
      return UInt16((65_535 * (0.13 * t + 0.87 * t * t)).rounded())
    }
  }

  /// What the scene shows at the pixel in column `x`, row `y`: linear BT.2020, 1.0 = scene white.
  public func light(x: Int, y: Int) -> SIMD3<Float> {
    for patch in patches where patch.rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) {
      return SIMD3(repeating: patch.light)
    }
    return SyntheticScene(size: size).pixel(x: x, y: y, samples: 1)
  }

  /// The gray patches, neutral under the illuminant of the picture, and their linear values.
  public var patches: [(rect: PixelRect, light: Float)] {
    let levels: [Float] = [0.015_625, 0.0625, 0.18, 0.5, 1, 2, 4, 8]
    let (top, height) = (size.height / 50, max(1, size.height / 12))
    return levels.enumerated().map { i, level in
      let left = size.width * (2 * i + 1) / 17
      return (
        PixelRect(x: left, y: top, width: max(1, size.width / 17), height: height), level
      )
    }
  }

  /// The code values of the scene, three per pixel.
  public func codes(workers: Int = Parallel.defaultWorkers) -> [UInt16] {
    let scene = SyntheticScene(size: size)
    let toCode = CodeLookup(linearizationTable)
    let matrix = ProRAWColor(form).toCamera * exp2(-form.headroomStops)
    let patches = patches
    let width = size.width
    let rows = certain {
      try Parallel.map(count: size.height, workers: workers) { y -> [UInt16] in
        var row = [UInt16](repeating: 0, count: width * 3)
        let here = patches.filter { $0.rect.y <= y && y < $0.rect.endY }
        for x in 0..<width {
          let patch = here.first { $0.rect.x <= x && x < $0.rect.endX }
          let light =
            patch.map { SIMD3(repeating: $0.light) } ?? scene.pixel(x: x, y: y, samples: 1)
          let value = matrix * SIMD3<Double>(light)
          for c in 0..<3 {
            var noisy = value[c]
            if hasNoise {
              let deviation = (Self.noise.x * max(noisy, 0) + Self.noise.y).squareRoot()
              let draw = UInt64((y * width + x) * 3 + c)
              noisy += deviation * Double(IntegerNoise.normal(draw, seed: 11))
            }
            row[3 * x + c] = toCode[min(max(noisy, 0), 1)]
          }
        }
        return row
      }
    }
    return rows.flatMap { $0 }
  }

  /// The linear camera value, 0…1, of `code`: what a reader has after its table, black
  /// and white.
  public func linear(_ code: UInt16) -> Float {
    Float(linearizationTable[Int(code)]) / 65_535
  }

  /// Linear BT.2020 that a reader makes of `light` before the gain table map, BaselineExposure
  /// applied, as long as nothing clips: light · 2^(BaselineExposure − headroom).
  public func sceneLinear(_ light: SIMD3<Float>) -> SIMD3<Float> {
    let stops = (form.baselineExposure.value ?? 0) - form.headroomStops
    return light * Float(exp2(stops))
  }
}
