import Foundation
import ImageCore

/// Frames per second as an exact fraction.
public struct FrameRate: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Frames.
  public let frames: Int
  /// The time that they take, in seconds.
  public let seconds: Int

  /// Rates that films can have.
  public static let range = 1.0 / 3600...1000.0
  /// The rate of clips that do not say theirs.
  public static let usual = FrameRate(24_000, 1001)

  private init(_ frames: Int, _ seconds: Int) {
    (self.frames, self.seconds) = (frames, seconds)
  }

  /// `frames` in `seconds`, reduced; nil outside of ``range``.
  public init?(frames: Int, seconds: Int) {
    guard frames > 0, seconds > 0, Self.range.contains(Double(frames) / Double(seconds)) else {
      return nil
    }
    var (a, b) = (frames, seconds)
    while b != 0 { (a, b) = (b, a % b) }
    (self.frames, self.seconds) = (frames / a, seconds / a)
    guard self.frames <= 1 << 24, self.seconds <= 1 << 24 else { return nil }
  }

  /// The rate of a tag. What is written as 23.976 or 29.97 means the fractions of television.
  init?(_ tag: SignedRational) {
    guard let exact = FrameRate(frames: Int(tag.numerator), seconds: Int(tag.denominator)) else {
      return nil
    }
    self = exact.meant
  }

  /// `24`, `24000/1001`, `23.976`.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let a = Int(parts[0]), let b = Int(parts[1]) {
      guard let rate = FrameRate(frames: a, seconds: b) else { return nil }
      self = rate
      return
    }
    let decimals = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 1, (1...2).contains(decimals.count),
      let whole = Int(decimals[0]), whole >= 0, whole <= 1000
    else { return nil }
    let digits = decimals.count == 2 ? decimals[1] : ""
    let scale = (0..<digits.count).reduce(1) { power, _ in power * 10 }
    guard digits.count <= 6, let part = digits.isEmpty ? 0 : Int(digits), part >= 0,
      let rate = FrameRate(frames: whole * scale + part, seconds: scale)
    else { return nil }
    self = rate.meant
  }

  /// The fraction of 1001 whose decimals these are, else the same.
  private var meant: FrameRate {
    for base in [24, 30, 48, 60, 120] {
      let exact = FrameRate(base * 1000, 1001)
      guard self != exact, seconds != 1, seconds != 1001 else { continue }
      // 23.976 and 23.98, as well as 23.97.
      if abs(value - exact.value) < 0.0075 { return exact }
    }
    return self
  }

  /// Frames per second.
  public var value: Double { Double(frames) / Double(seconds) }

  /// Seconds of `count` frames.
  public func duration(of count: Int) -> Double { Double(count) * Double(seconds) / Double(frames) }

  /// `24000/1001`; `25/1`.
  public var description: String { "\(frames)/\(seconds)" }
}
