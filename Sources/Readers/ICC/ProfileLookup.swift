import Codecs
import ImageCore

/// The lookup tables of an ICC profile: from RGB code values of 0…1 to linear BT.2020. Equal when
/// the profiles are.
public struct ProfileLookup: Sendable, Hashable {
  /// The ICC profile with the tables.
  public let profile: [UInt8]
  private let transform: LCMSTransform
  /// Maximum linear channel value of code value white; of all where another is brighter.
  let peak: Float

  /// Pixels that are converted at a time.
  private static let block = 256

  /// Nil when `profile` has no usable tables.
  init?(_ profile: [UInt8]) {
    guard let handle = LCMSHandle(profile), handle.model == .rgb,
      let transform = LCMSTransform(handle)
    else { return nil }
    self.profile = profile
    self.transform = transform
    var white: [Float] = [1, 1, 1]
    unsafe transform.apply(&white, count: 1)
    let steps = 9
    var grid = (0..<steps * steps * steps).flatMap { index in
      [index % steps, index / steps % steps, index / steps / steps].map {
        Float($0) / Float(steps - 1)
      }
    }
    unsafe transform.apply(&grid, count: grid.count / 3)
    // White alone decides where it is the brightest, whatever single channels of other colors are:
    // so it is in profiles without tables.
    let brightest = stride(from: 0, to: grid.count, by: 3).map { Self.luminance(grid[$0...]) }.max()
    let isOdd = brightest ?? 0 > Self.luminance(white[...]) * 1.01
    peak = (isOdd ? grid : white).filter(\.isFinite).max().flatMap { $0 > 0 ? $0 : nil } ?? 1
  }

  /// Linear BT.2020 of one color.
  func linear(_ codes: SIMD3<Float>) -> SIMD3<Double> {
    var rgb = [codes.x, codes.y, codes.z]
    unsafe transform.apply(&rgb, count: 1)
    return SIMD3(Double(rgb[0]), Double(rgb[1]), Double(rgb[2]))
  }

  /// Linear value of a gray code value: its green.
  func gray(_ code: Double) -> Double { linear(SIMD3(repeating: Float(code))).y }

  /// The first pixel, in linear BT.2020; 0 where it is not finite.
  private static func luminance(_ rgb: ArraySlice<Float>) -> Float {
    let weights: [Float] = [0.2627, 0.678, 0.0593]
    return finite(zip(rgb, weights).reduce(0) { $0 + $1.0 * $1.1 })
  }

  /// Same profile.
  public static func == (a: ProfileLookup, b: ProfileLookup) -> Bool { a.profile == b.profile }
  /// By the profile.
  public func hash(into hasher: inout Hasher) { hasher.combine(profile) }

  /// Converts rows of code values to linear values in place; values that are not finite become 0.
  func apply(_ rows: RGBRows) {
    let count = rows.count
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * Self.block) { scratch in
      guard let pixels = scratch.baseAddress else { return }
      for start in stride(from: 0, to: count, by: Self.block) {
        let length = min(Self.block, count - start)
        for i in 0..<length {
          unsafe pixels[3 * i] = rows.red[start + i]
          unsafe pixels[3 * i + 1] = rows.green[start + i]
          unsafe pixels[3 * i + 2] = rows.blue[start + i]
        }
        unsafe transform.apply(pixels, count: length)
        for i in 0..<length {
          rows.red[start + i] = unsafe Self.finite(pixels[3 * i])
          rows.green[start + i] = unsafe Self.finite(pixels[3 * i + 1])
          rows.blue[start + i] = unsafe Self.finite(pixels[3 * i + 2])
        }
      }
    }
  }

  private static func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }
}
