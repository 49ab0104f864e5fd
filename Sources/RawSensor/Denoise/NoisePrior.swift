/// The range of noise that is physically possible at an ISO speed, to limit an estimate from one
/// picture.
///
/// Formula: a sensor holds between 3 000 (phone) and 150 000 (medium format) electrons at ISO 100
/// when it saturates, so its shot noise is a = ISO/100 · (1/150 000 … 1/3 000); readout adds 0.5 to
/// 30 electrons, so b is at least 0.25 a², and at most 900 times the square of the largest a, plus
/// the variance of rounding to 10 bits. Speeds below ISO 50 are nominal and count as 50. Units:
/// linear values 0…1 before white balance.
struct NoisePrior: Sendable {
  let shot: ClosedRange<Double>

  /// Nil when the speed is unknown or not plausible.
  init?(iso: Double?) {
    guard let iso, iso.isFinite, iso > 0, iso < 1e7 else { return nil }
    let speed = max(iso, 50) / 100
    shot = min(speed / 150_000, 0.01)...min(speed / 3_000, 0.25)
  }

  /// The estimate clamped to the possible range.
  func limited(shot estimate: Double, read: Double) -> (shot: Double, read: Double) {
    let a = min(max(estimate, shot.lowerBound), shot.upperBound)
    let rounding = 1e-7
    let range = a * a * 0.25...shot.upperBound * shot.upperBound * 900 + rounding
    return (a, min(max(read, range.lowerBound), range.upperBound))
  }
}
