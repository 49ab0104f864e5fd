/// Makes the steps of an iteration that converges linearly larger.
///
/// Source: Anderson, "Iterative procedures for nonlinear integral equations" (1965), with a memory
/// of one step. Formula: where the iteration would go from x by f and went from the last x' by f',
/// x + f − θ (x − x' + f − f') with θ = ⟨f, f − f'⟩ / |f − f'|². Where each step is ρ of the last,
/// it leads to the limit at once. Weights that follow the errors, as in ``FrameAlignment``, make ρ
/// about 0.8. θ is limited, so that steps are at most `most` times as large. Known failures: none
/// that the iteration itself has not; it may need as many steps as without.
struct FixedPointAcceleration {
  private static let most = 6.0

  /// How many of the unknowns, the first ones, ⟨,⟩ is taken of: those of one unit.
  private let measured: Int
  /// The last step of the iteration, and the one that was taken for it.
  private var last: (step: [Double], taken: [Double])?

  init(measured: Int) { self.measured = measured }

  /// The step to take where the iteration's is `step`.
  mutating func step(_ step: [Double]) -> [Double] {
    var taken = step
    if let last {
      let change = zip(step, last.step).map { $0 - $1 }
      func product(_ a: [Double], _ b: [Double]) -> Double {
        zip(a.prefix(measured), b).reduce(0) { $0 + $1.0 * $1.1 }
      }
      let square = product(change, change)
      if square > 0 {
        let share = min(max(product(step, change) / square, -Self.most), 0.5)
        for i in step.indices { taken[i] -= share * (last.taken[i] + change[i]) }
      }
    }
    last = (step, taken)
    return taken
  }
}
