/// Makes the steps of an iteration that converges linearly larger.
///
/// Source: Anderson, "Iterative procedures for nonlinear integral equations" (1965), with a memory
/// of one step. Formula: where the iteration would go from x by f and went from the last x' by f',
/// x + f − θ (x − x' + f − f') with θ = ⟨f, f − f'⟩ / |f − f'|². Where each step is ρ times the
/// last, it reaches the limit at once. Weights that follow the errors, as in ``FrameAlignment``,
/// make ρ about 0.8. θ is limited, so that steps are at most `maxFactor` times as large. Known
/// failures: only those of the iteration itself; it may need as many steps as without.
struct FixedPointAcceleration {
  private static let maxFactor = 6.0

  /// The number of leading unknowns that ⟨,⟩ is computed over, all of one unit.
  private let measured: Int
  /// The last step of the iteration, and the accelerated one.
  private var last: (step: [Double], accelerated: [Double])?

  init(measured: Int) { self.measured = measured }

  /// The step to take where the iteration's is `step`.
  mutating func step(_ step: [Double]) -> [Double] {
    var accelerated = step
    if let last {
      let change = zip(step, last.step).map { $0 - $1 }
      func product(_ a: [Double], _ b: [Double]) -> Double {
        zip(a.prefix(measured), b).reduce(0) { $0 + $1.0 * $1.1 }
      }
      let square = product(change, change)
      if square > 0 {
        let theta = min(max(product(step, change) / square, -Self.maxFactor), 0.5)
        for i in step.indices { accelerated[i] -= theta * (last.accelerated[i] + change[i]) }
      }
    }
    last = (step, accelerated)
    return accelerated
  }
}
