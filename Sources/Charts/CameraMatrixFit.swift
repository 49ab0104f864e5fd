package import ImageCore

/// A 3 × 3 matrix from camera values to XYZ under D50, fitted to patches of known color.
///
/// XYZ = F · (c / n), c camera values and n the camera values of a perfect white, so that each row
/// of F adds up to the same row of D50: neutrals stay neutral under any such matrix (Finlayson &
/// Drew, "Constrained least-squares regression in color spaces", J. Electron. Imaging 6, 1997).
/// 1. n: a matrix is fitted without the constraint, by least squares weighted by 1 / (Y + 0.05)²,
///    close to the weighting of XYZ by lightness. It gives the difference of a neutral patch from a
///    perfect white, and n is the geometric mean over the neutral patches, except black and the
///    next, of c times that.
/// 2. F: the same least squares with the constraint.
/// 3. F and the scale of n: ΔE00 over all patches by Levenberg and Marquardt (Marquardt 1963), the
///    three parts of each difference as residuals, differentials by steps of 1e-5. Patches that
///    differ by more than 2.5 times the median get Huber's weight, so that a reflection on one of
///    them does not affect the others. Units: linear camera values at any scale; reflectances.
///    Known failure: a line spectrum, or a camera far from the Luther condition, leaves differences
///    that no matrix removes; the differences show it.
package struct CameraMatrixFit: Sendable, Hashable {
  /// White-balanced camera values to XYZ under D50; rows add up to D50.
  package private(set) var forward: Matrix3
  /// Camera values of a perfect white.
  package private(set) var neutral: SIMD3<Double>

  /// What is fitted to.
  package struct Patch: Sendable, Hashable {
    /// Linear camera values, not white-balanced.
    package var camera: SIMD3<Double>
    /// XYZ under D50, 1 for the luminance of a perfect white.
    package var xyz: SIMD3<Double>
    /// Whether it determines the camera values of a neutral.
    package var isNeutral: Bool

    /// A patch of these values.
    package init(camera: SIMD3<Double>, xyz: SIMD3<Double>, isNeutral: Bool) {
      (self.camera, self.xyz, self.isNeutral) = (camera, xyz, isNeutral)
    }
  }

  /// The patches of a ColorChecker with these camera values.
  package static func patches(
    _ camera: [SIMD3<Double>], _ reference: ColorChecker
  ) -> [Patch] {
    zip(camera, reference.xyz).enumerated().map { index, pair in
      Patch(
        camera: pair.0, xyz: pair.1,
        isNeutral: ColorChecker.neutrals.dropLast(2).contains(index))
    }
  }

  /// nil where the patches do not determine a matrix.
  package init?(_ patches: [Patch]) {
    guard let free = Self.unconstrained(patches), let back = free.inverse,
      let neutral = Self.neutral(patches, back), neutral.min() > 0
    else { return nil }
    self.neutral = neutral
    var rows: [SIMD3<Double>] = []
    let white = Chromaticity.d50.xyz
    for k in 0..<3 {
      let equations = patches.map { patch -> [Double] in
        let b = patch.camera / neutral
        let weight = 1 / (patch.xyz.y + 0.05)
        return [b.x - b.z, b.y - b.z, patch.xyz[k] - white[k] * b.z].map { $0 * weight }
      }
      guard let found = LinearEquations.leastSquares(equations) else { return nil }
      rows.append(SIMD3(found[0], found[1], white[k] - found[0] - found[1]))
    }
    forward = Matrix3(rows[0], rows[1], rows[2])
    refine(patches)
    guard forward.inverse != nil else { return nil }
  }

  /// XYZ under D50 of camera values.
  package func xyz(_ camera: SIMD3<Double>) -> SIMD3<Double> { forward * (camera / neutral) }

  /// The difference of a patch from what it should be.
  package func difference(_ patch: Patch) -> ColorDifference {
    ColorDifference(LabColor(patch.xyz), LabColor(xyz(patch.camera)))
  }

  /// ΔE00 of each patch by a matrix fitted to all others: what it is worth for colors that it was
  /// not fitted to.
  package static func leaveOneOut(_ patches: [Patch]) -> [Double] {
    patches.indices.map { index in
      var others = patches
      let left = others.remove(at: index)
      return CameraMatrixFit(others)?.difference(left).value ?? .infinity
    }
  }

  // MARK: - Steps

  /// The matrix from camera values to XYZ that fits best, neutrals or not.
  static func unconstrained(_ patches: [Patch]) -> Matrix3? {
    var rows: [SIMD3<Double>] = []
    for k in 0..<3 {
      let equations = patches.map { patch -> [Double] in
        let weight = 1 / (patch.xyz.y + 0.05)
        return [patch.camera.x, patch.camera.y, patch.camera.z, patch.xyz[k]].map { $0 * weight }
      }
      guard let row = LinearEquations.leastSquares(equations) else { return nil }
      rows.append(SIMD3(row[0], row[1], row[2]))
    }
    return Matrix3(rows[0], rows[1], rows[2])
  }

  /// Camera values of a perfect white; `back` = XYZ to camera values.
  private static func neutral(_ patches: [Patch], _ back: Matrix3) -> SIMD3<Double>? {
    let white = back * Chromaticity.d50.xyz
    let whites = patches.filter(\.isNeutral).map { $0.camera * white / (back * $0.xyz) }
    guard !whites.isEmpty, whites.allSatisfy({ $0.min() > 0 }) else { return nil }
    var mean = SIMD3<Double>()
    for c in 0..<3 {
      mean[c] = exponential(
        whites.reduce(0) { $0 + logarithm($1[c]) } / Double(whites.count))
    }
    return mean
  }

  /// The six numbers that are free in ``forward``, and the logarithm of the scale.
  private func changed(_ step: [Double]) -> CameraMatrixFit {
    let white = Chromaticity.d50.xyz
    var fit = self
    for k in 0..<3 {
      let (x, y) = (forward[k, 0] + step[2 * k], forward[k, 1] + step[2 * k + 1])
      fit.forward.rows[k] = SIMD3(x, y, white[k] - x - y)
    }
    fit.neutral = neutral * exponential(-step[6])
    return fit
  }

  private mutating func refine(_ patches: [Patch]) {
    let count = 7
    var damping = 1e-3
    var huber = 1.0
    func cost(_ fit: CameraMatrixFit) -> Double {
      patches.reduce(0) { sum, patch in
        let e = fit.difference(patch).value
        return sum + (e <= huber ? e * e : huber * (2 * e - huber))
      }
    }
    for pass in 0..<60 {
      let differences = patches.map { difference($0) }
      if pass < 10 { huber = max(2.5 * (median(differences.map(\.value)) ?? 0), 1e-6) }
      let step = 1e-5
      let moved = (0..<count).map { k -> CameraMatrixFit in
        var change = [Double](repeating: 0, count: count)
        change[k] = step
        return changed(change)
      }
      var normal = [[Double]](
        repeating: [Double](repeating: 0, count: count + 1), count: count)
      for (patch, now) in zip(patches, differences) {
        let weight = min(1, huber / max(now.value, 1e-12))
        let slopes = moved.map { ($0.difference(patch).parts - now.parts) / step }
        for i in 0..<count {
          for j in 0..<count { normal[i][j] += weight * (slopes[i] * slopes[j]).sum() }
          normal[i][count] -= weight * (slopes[i] * now.parts).sum()
        }
      }
      let before = cost(self)
      var isBetter = false
      while damping < 1e9 {
        var damped = normal
        for i in 0..<count { damped[i][i] *= 1 + damping }
        if let change = LinearEquations.solution(damped) {
          let next = changed(change)
          let after = cost(next)
          if after < before {
            isBetter = before - after > 1e-10 * before
            self = next
            damping = max(damping / 5, 1e-9)
            break
          }
        }
        damping *= 4
      }
      if !isBetter { return }
    }
  }
}
