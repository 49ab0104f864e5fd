import Foundation

/// A soft limit: slope 1 at zero, bending towards `height`, which it reaches at
/// `reach`.
///
/// Source: Naka–Rushton type compression, y = u / (1 + (u / L)^p)^(1/p). L makes y(reach) = height:
/// L = reach / ((reach / height)^p − 1)^(1/p); without a limit where reach ≤ height. Laws:
/// monotone, C1, y(u) ≤ u. p is the softness: the smaller, the earlier the bend.
struct Shoulder: Sendable, Hashable {
  private let limit: Double
  private let softness: Double

  init(reach: Double, height: Double, softness: Double) {
    let ratio = reach / height
    limit = ratio > 1 ? reach / pow(pow(ratio, softness) - 1, 1 / softness) : .infinity
    self.softness = softness
  }

  func callAsFunction(_ u: Double) -> Double {
    limit == .infinity ? u : u / pow(1 + pow(u / limit, softness), 1 / softness)
  }
}
