import Codecs
import ImageCore

/// Cyan, magenta, yellow and black ink to linear BT.2020: by the tables of an ICC profile, relative
/// colorimetric with black point compensation; without a profile, by the model of a press
/// (`OffsetPress`). In both cases bare paper is 1.0 and the darkest print 0, as most programs show
/// prints. Equal when the profiles are.
public struct InkLookup: Sendable, Hashable {
  /// The ICC profile; nil for the press model.
  public let profile: [UInt8]?
  private let transform: LCMSTransform?

  /// Pixels that are converted at a time.
  private static let block = 256

  /// Nil when `profile` has no usable tables.
  private init?(_ profile: [UInt8]?) {
    self.profile = profile
    guard let profile else {
      transform = nil
      return
    }
    guard let handle = LCMSHandle(profile), handle.model == .cmyk,
      let transform = LCMSTransform(handle)
    else { return nil }
    self.transform = transform
  }

  /// The encoding of a picture of inks with `profile`, which may be nil. Adds a note on how colors
  /// are derived.
  static func color(_ profile: [UInt8]?, _ notes: inout [String]) -> ColorDescription {
    if let profile, !profile.isEmpty {
      if let lookup = InkLookup(profile) {
        let name = LCMSHandle(profile)?.name ?? ICCReader.unnamed
        notes.append(
          "its CMYK was converted by its profile, \(name), with paper as white and the darkest "
            + "print as black")
        return ColorDescription(
          primaries: .bt2020, transfer: .inks(lookup), origin: .profile, profile: profile,
          name: name)
      }
      notes.append(ICCReader.damagedNote)
    }
    notes.append(
      "its CMYK has no usable ICC profile: \(OffsetPress.name) is assumed; for exact colors, embed "
        + "the printer's profile first")
    guard let press = InkLookup(nil) else { return .assumed }
    return ColorDescription(
      primaries: .bt2020, transfer: .inks(press), origin: .assumed, name: OffsetPress.name)
  }

  /// Same profile.
  public static func == (a: InkLookup, b: InkLookup) -> Bool { a.profile == b.profile }
  /// By the profile.
  public func hash(into hasher: inout Hasher) { hasher.combine(profile) }

  /// Writes the linear values of row `y` of `picture`, integers of four inks, from column `x` on.
  /// Values that are not finite become 0.
  func read(_ picture: DecodedSamples, x: Int, y: Int, into rows: RGBRows) {
    guard case .codes(let bits) = picture.format, picture.channels == 4 else {
      preconditionFailure("samples are not four inks")
    }
    let start = unsafe picture.row(y) + 4 * x * picture.format.bytes
    let percent = 100 / Float(1 << bits - 1)
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 7 * Self.block) { scratch in
      guard let inks = scratch.baseAddress else { return }
      let linear = unsafe inks + 4 * Self.block
      for first in stride(from: 0, to: rows.count, by: Self.block) {
        let count = min(Self.block, rows.count - first)
        if bits > 8 {
          let codes = unsafe start.assumingMemoryBound(to: UInt16.self) + 4 * first
          for i in 0..<4 * count { unsafe inks[i] = Float(codes[i]) * percent }
        } else {
          let codes = unsafe start.assumingMemoryBound(to: UInt8.self) + 4 * first
          for i in 0..<4 * count { unsafe inks[i] = Float(codes[i]) * percent }
        }
        if let transform {
          unsafe transform.apply(inks: inks, to: linear, count: count)
        } else {
          unsafe OffsetPress.print(inks, as: linear, count: count)
        }
        for i in 0..<count {
          for plane in 0..<3 {
            let value = unsafe linear[3 * i + plane]
            rows[plane][first + i] = value.isFinite ? value : 0
          }
        }
      }
    }
  }
}
