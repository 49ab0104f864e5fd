import Foundation
import HDRRender
import ImageCore

/// Fits a ``CameraLook`` to cells of our own rendering and of the camera's preview that show the
/// same subject.
///
/// Source: penalized least squares, reweighted so that cells that fit badly count less (Huber,
/// "Robust Statistics", 1981; Eilers and Marx, "Flexible smoothing with B-splines and penalties",
/// 1996): the tone curve first, from all cells; then in turn the cast from cells that are nearly
/// gray, the change of hue and saturation, and the lightness of colors. Penalties are on first and
/// second differences of neighbors, and on the values themselves, so that colors without cells
/// follow their neighbors, and far from any cell the standard rendering. Color changes are weakened
/// until the mapping is monotone. Units: Oklab. Coefficients are rounded to 2⁻¹⁴, so that results
/// do not depend on the processor.
///
/// Constants: fitted by the mean ΔE2000 of every other cell of 14 raws, measured on the rest
/// (Docs/verification.md).
struct CameraLookFit {
  /// The same part of the scene in both pictures.
  struct Cell: Sendable, Hashable {
    /// Oklab of our own rendering and of the preview.
    var own: SIMD3<Double>
    var preview: SIMD3<Double>
    /// How reliable the comparison is, 0…1.
    var weight: Double
  }

  /// Minimum number of cells.
  static let minCells = 60
  /// The strongest cast, as chroma of white.
  static let strongestCast = 0.06

  /// Whether a cast reaches the limit.
  static func isStrongest(_ cast: SIMD2<Double>) -> Bool {
    (cast * cast).sum().squareRoot() > strongestCast - 1e-3
  }

  private static let rounds = 4
  /// Residual beyond which the weight of a cell is reduced.
  private static let bend = 0.02
  private static let toneBend = 0.015
  /// Weight of a cell against the penalties.
  private static let trust = 800.0
  /// Weight of the penalty on a coefficient itself: with and without cells.
  private static let ridge = (seen: 0.02, unseen: 0.5)

  /// The mapping from the cells' own colors to the preview's; without `colors`, of lightness only.
  /// Nil with too few cells.
  static func fit(_ cells: [Cell], colors: Bool = true) -> CameraLook? {
    guard cells.count >= minCells else { return nil }
    var mapping = CameraLook()
    mapping.tone = tone(cells)
    guard colors else { return rounded(mapping) }
    fitColors(cells, &mapping)
    for factor in [1, 0.75, 0.5, 0.25, 0] {
      let weaker = rounded(mapping.weakened(factor))
      if factor == 0 || weaker.isMonotone { return weaker }
    }
    return rounded(mapping)
  }

  // MARK: Tone

  private static func tone(_ cells: [Cell]) -> [Double] {
    let count = CameraLook.toneNodes
    let terms = cells.map { cell in
      let (first, w) = QuadraticSpline.terms(cell.own.x, count: count)
      return [(first, w.x), (first + 1, w.y), (first + 2, w.z)]
    }
    var weights = cells.map(\.weight)
    var found = [Double](repeating: 0, count: count)
    let stiffness = 0.02 * Double(cells.count) / 2400
    for _ in 0...rounds {
      var equations = BandedEquations(count: count, width: 2)
      var side = [Double](repeating: 0, count: count)
      for (index, cell) in cells.enumerated() {
        equations.add(terms[index], weight: weights[index])
        for (at, w) in terms[index] {
          side[at] += weights[index] * w * (cell.preview.x - cell.own.x)
        }
      }
      for i in 0..<count {
        equations.add([(i, 1)], weight: 0.2 * stiffness)
        if i > 0 { equations.add([(i, 1), (i - 1, -1)], weight: stiffness) }
        if i > 1 { equations.add([(i, 1), (i - 1, -2), (i - 2, 1)], weight: 20 * stiffness) }
      }
      // Black and white stay.
      equations.add([(0, 0.5), (1, 0.5)], weight: 1e4)
      equations.add([(count - 2, 0.5), (count - 1, 0.5)], weight: 1e4)
      guard let solved = equations.solutions([side])?.first else { break }
      found = solved
      for (index, cell) in cells.enumerated() {
        let value = terms[index].reduce(0) { $0 + found[$1.0] * $1.1 }
        let rest = abs(cell.own.x + value - cell.preview.x)
        weights[index] = cell.weight / max(1, rest / toneBend)
      }
    }
    // Slopes of the curve of 0.25 to 3.
    let slopes = zip(found, found.dropFirst()).map { ($1 - $0) * Double(count - 2) }
    let (lowest, highest) = (slopes.min() ?? 0, slopes.max() ?? 0)
    let factor = min(1, 0.75 / max(-lowest, 1e-9), 2 / max(highest, 1e-9))
    return found.map { $0 * factor }
  }

  // MARK: Colors

  private static func fitColors(_ cells: [Cell], _ mapping: inout CameraLook) {
    let count = CameraLook.nodes
    let terms = cells.map { CameraLook.terms($0.own) }
    let toned = cells.map { mapping.toned($0.own.x) }
    let colors = zip(cells, toned).map { cell, l in
      SIMD2(cell.own.y, cell.own.z) * (l / max(cell.own.x, 1e-3))
    }
    var coverage = [Double](repeating: 0, count: count)
    for (index, cell) in cells.enumerated() {
      for (at, w) in terms[index] { coverage[at] += w * cell.weight }
    }
    let penalties = penalties(coverage)
    var (weights, lightnessWeights) = (cells.map(\.weight), cells.map(\.weight))
    func at(_ values: [Double], _ index: Int) -> Double {
      terms[index].reduce(0) { $0 + values[$1.index] * $1.value }
    }
    for _ in 0..<rounds {
      mapping.cast = cast(cells, colors, toned, weights) { index in
        turned(colors[index], 1 + at(mapping.stretch, index), at(mapping.turn, index))
      }
      var equations = penalties
      var sides = [[Double]](repeating: [Double](repeating: 0, count: count), count: 2)
      for (index, cell) in cells.enumerated() {
        let own = colors[index]
        let weight = weights[index] * trust
        equations.add(terms[index], weight: weight * (own * own).sum())
        let rest =
          SIMD2(cell.preview.y, cell.preview.z) - own
          - mapping.cast * CameraLook.castWeight(toned[index])
        // The conjugate of the color times the residual.
        let (re, im) = ((own * rest).sum(), own.x * rest.y - own.y * rest.x)
        for (at, w) in terms[index] {
          sides[0][at] += weight * w * re
          sides[1][at] += weight * w * im
        }
      }
      guard let solved = equations.solutions(sides) else { return }
      (mapping.stretch, mapping.turn) = (bounded(solved[0]), bounded(solved[1]))
      equations = penalties
      var side = [Double](repeating: 0, count: count)
      for (index, cell) in cells.enumerated() {
        let weight = lightnessWeights[index] * trust
        let presence = CameraLook.presence(cell.own.x)
        equations.add(terms[index], weight: weight * presence * presence)
        for (at, w) in terms[index] {
          side[at] += weight * presence * w * (cell.preview.x - toned[index])
        }
      }
      guard let lightness = equations.solutions([side])?.first else { return }
      mapping.lightness = lightness.map { min(max($0, -0.2), 0.2) }
      for (index, cell) in cells.enumerated() {
        let mapped =
          turned(colors[index], 1 + at(mapping.stretch, index), at(mapping.turn, index))
          + mapping.cast * CameraLook.castWeight(toned[index])
        let rest = mapped - SIMD2(cell.preview.y, cell.preview.z)
        weights[index] = cell.weight / max(1, (rest * rest).sum().squareRoot() / bend)
        let lightness =
          toned[index] + at(mapping.lightness, index) * CameraLook.presence(cell.own.x)
        lightnessWeights[index] = cell.weight / max(1, abs(lightness - cell.preview.x) / bend)
      }
    }
  }

  /// The cast, from cells of low saturation; shrinks towards 0 with few of them.
  private static func cast(
    _ cells: [Cell], _ colors: [SIMD2<Double>], _ toned: [Double], _ weights: [Double],
    mapped: (Int) -> SIMD2<Double>
  ) -> SIMD2<Double> {
    var (sum, total) = (SIMD2(0.0, 0.0), 5.0)
    for (index, cell) in cells.enumerated() {
      let own = colors[index]
      let saturation = (own * own).sum() / max(toned[index] * toned[index], 0.0025)
      let gray = 1 + saturation / (0.06 * 0.06)
      let h = CameraLook.castWeight(toned[index])
      let weight = weights[index] * h / (gray * gray)
      sum += (SIMD2(cell.preview.y, cell.preview.z) - mapped(index)) * weight
      total += weight * h
    }
    let cast = sum / total
    let strength = (cast * cast).sum().squareRoot()
    return strength > strongestCast ? cast * (strongestCast / strength) : cast
  }

  private static func turned(_ c: SIMD2<Double>, _ re: Double, _ im: Double) -> SIMD2<Double> {
    SIMD2(re * c.x - im * c.y, re * c.y + im * c.x)
  }

  /// Smoothness and ridge penalties; the ridge is stronger for coefficients without cells.
  private static func penalties(_ coverage: [Double]) -> BandedEquations {
    let (lightnesses, colors) = (CameraLook.lightnessNodes, CameraLook.colorNodes)
    let steps = [1, lightnesses, lightnesses * colors]
    let counts = [lightnesses, colors, colors]
    var equations = BandedEquations(count: CameraLook.nodes, width: 2 * steps[2] + 2 * steps[1] + 2)
    for node in 0..<CameraLook.nodes {
      equations.add(ridge.seen + ridge.unseen / (1 + 4 * coverage[node]), node, node)
      for (step, count) in zip(steps, counts) {
        let position = node / step % count
        if position > 0 { equations.add([(node, 1), (node - step, -1)], weight: 1) }
        if position > 1 {
          equations.add([(node, 1), (node - step, -2), (node - 2 * step, 1)], weight: 1)
        }
      }
    }
    return equations
  }

  private static func bounded(_ values: [Double]) -> [Double] {
    values.map { min(max($0, -0.6), 0.6) }
  }

  private static func rounded(_ mapping: CameraLook) -> CameraLook {
    func rounded(_ value: Double) -> Double { (value * 16_384).rounded() / 16_384 }
    var mapping = mapping
    mapping.tone = mapping.tone.map(rounded)
    mapping.lightness = mapping.lightness.map(rounded)
    mapping.stretch = mapping.stretch.map(rounded)
    mapping.turn = mapping.turn.map(rounded)
    mapping.cast = SIMD2(rounded(mapping.cast.x), rounded(mapping.cast.y))
    return mapping
  }
}
