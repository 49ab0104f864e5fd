// Linear ProPhoto RGB to the samples of the device of an ICC profile, by lcms2.
// Source: ICC.1:2022 annexes D and F; ProPhoto RGB, because no gamut of a device is wider in what
// it prints or shows. Units: linear values, 1.0 = reference white = the white of the profile
// connection space; clamped to 0…1, NaN is treated as 0. Floats throughout, nothing cached: the
// same bits on any thread. Known failure: profiles with matrices alone clip each channel, as they
// do everywhere.

import Codecs
import Formats
import ImageCore

/// Rows of linear ProPhoto RGB to rows of a device's signal.
struct ProfileSignal: RowSignal {
  private let transform: LCMSTransform
  /// Pixels that are converted at once.
  private static let run = 256

  /// Throws ``WriteError/Code/badProfile`` for a profile that no RGB samples can be written for.
  init(_ profile: OutputProfile) throws(WriteError) {
    func refuse(_ reason: String) -> WriteError {
      WriteError(.badProfile, "the ICC profile \(reason)", path: profile.name)
    }
    let way = "; take one of an RGB display, printer or color space"
    guard let header = ICCHeader(profile.bytes) else {
      throw refuse("is damaged, or no ICC profile" + way)
    }
    guard header.isOfDevice else {
      throw refuse("is for \(header.classText), not for a device" + way)
    }
    guard header.colorSpace == "RGB" else {
      throw refuse("is for samples of \(header.colorSpace), not RGB" + way)
    }
    guard let handle = LCMSHandle(profile.bytes) else { throw refuse("is damaged" + way) }
    let intent: LCMSTransform.Intent =
      switch profile.intent {
      case .relative: .relative
      case .perceptual: .perceptual
      case .saturation: .saturation
      case .absolute: .absolute
      }
    guard let transform = LCMSTransform(from: .proPhoto, to: handle, intent) else {
      throw refuse("has no tables from colors to samples, or damaged ones" + way)
    }
    self.transform = transform
  }

  func encode(_ rows: RGBRows) {
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * Self.run) { pixels in
      guard let start = pixels.baseAddress else { return }
      for first in stride(from: 0, to: rows.count, by: Self.run) {
        let count = min(Self.run, rows.count - first)
        for i in 0..<count {
          unsafe start[3 * i] = Self.clamped(rows.red[first + i])
          unsafe start[3 * i + 1] = Self.clamped(rows.green[first + i])
          unsafe start[3 * i + 2] = Self.clamped(rows.blue[first + i])
        }
        unsafe transform.apply(start, count: count)
        for i in 0..<count {
          unsafe rows.red[first + i] = Self.clamped(start[3 * i])
          unsafe rows.green[first + i] = Self.clamped(start[3 * i + 1])
          unsafe rows.blue[first + i] = Self.clamped(start[3 * i + 2])
        }
      }
    }
  }

  private static func clamped(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
}
