import Foundation
import HDRRender
import ImageCore

/// A smooth mapping of display colors, from our standard rendering to a camera's rendering.
///
/// Source: chosen here, by ``Oklab``. With L, c = a + ib of a display color up to white, f and the
/// lattices t, z ``QuadraticSpline``s:
///
///     L₁ = L + g(L)                                  tone; g(0) = g(1) = 0
///     L' = L₁ + t(L, c) · L / (L + 0.05)             lightness of colors
///     c' = (1 + z(L, c)) · c · L₁ / L + cast · h     hue and saturation; z is complex
///     h  = L₁ · (1 − max(0, (L₁ − 0.8) / 0.2)²)      a cast that white does not have
///     m' = s(M)^(1 − u) · m^u                        u: smoothstep of m from 0.7 to 1
///
/// where m and M are the largest channels before and after the mapping, m' the one that the color
/// is scaled to, and s has a shoulder from 0.8 on so that it never reaches 1. The lattices span L
/// and, for both parts x of c, x / √(x² + 0.1²): finer near gray.
///
/// So grays have at most one tint, the global cast; colors at white stay at white, and colors above
/// it (``LookTable``) are scaled to white and back: they keep their luminance, and have the hue of
/// the same color at white. Laws: all 0 is the identity; black and white are preserved; if
/// ``isMonotone``, lightness rises with luminance for every color.
struct CameraLook: Sendable, Hashable, Codable {
  /// Number of coefficients of the tone curve, of the lattices along lightness, and along a and b.
  static let toneNodes = 10
  static let lightnessNodes = 6
  static let colorNodes = 9
  static let nodes = lightnessNodes * colorNodes * colorNodes
  private static let reach = 0.1

  /// Coefficients of g.
  var tone = [Double](repeating: 0, count: toneNodes)
  /// Coefficients of t: lightness moves fastest, then b.
  var lightness = [Double](repeating: 0, count: nodes)
  /// Coefficients of z, real and imaginary.
  var stretch = [Double](repeating: 0, count: nodes)
  var turn = [Double](repeating: 0, count: nodes)
  /// The a and b that are added to gray of lightness 1.
  var cast = SIMD2(0.0, 0.0)

  /// The indices and weights of the lattice's coefficients at a color, in rising order.
  static func terms(_ lab: SIMD3<Double>) -> [(index: Int, value: Double)] {
    func position(_ x: Double) -> Double { (1 + x / (x * x + reach * reach).squareRoot()) / 2 }
    let l = QuadraticSpline.terms(lab.x, count: lightnessNodes)
    let a = QuadraticSpline.terms(position(lab.y), count: colorNodes)
    let b = QuadraticSpline.terms(position(lab.z), count: colorNodes)
    var terms: [(index: Int, value: Double)] = []
    terms.reserveCapacity(27)
    for i in 0..<3 {
      for j in 0..<3 {
        let start = ((a.first + i) * colorNodes + b.first + j) * lightnessNodes + l.first
        let weight = a.weights[i] * b.weights[j]
        for k in 0..<3 { terms.append((start + k, weight * l.weights[k])) }
      }
    }
    return terms
  }

  /// Factor of the lightness change t at L; 0 at black.
  static func presence(_ lightness: Double) -> Double { lightness / (lightness + 0.05) }

  /// Factor of the cast at lightness `l`.
  static func castWeight(_ l: Double) -> Double {
    let high = min(max((l - 0.8) / 0.2, 0), 1)
    return l * (1 - high * high)
  }

  private func g(_ l: Double) -> Double {
    let (first, w) = QuadraticSpline.terms(l, count: Self.toneNodes)
    return tone[first] * w.x + tone[first + 1] * w.y + tone[first + 2] * w.z
  }

  /// The tone curve, of lightness 0…1.
  func toned(_ l: Double) -> Double {
    let ends = (tone[0] + tone[1], tone[Self.toneNodes - 2] + tone[Self.toneNodes - 1])
    return max(l + g(l) - ends.0 / 2 * (1 - l) - ends.1 / 2 * l, 0)
  }

  /// The mapped Oklab color of one up to white.
  func callAsFunction(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    guard lab.x > 0 else { return lab }
    let l = toned(min(lab.x, 1)) + max(lab.x - 1, 0)
    let gain = l / lab.x
    let (a, b) = (lab.y * gain, lab.z * gain)
    var (t, re, im) = (0.0, 1.0, 0.0)
    for (index, weight) in Self.terms(lab) {
      t += lightness[index] * weight
      re += stretch[index] * weight
      im += turn[index] * weight
    }
    let tint = cast * Self.castWeight(min(l, 1))
    return SIMD3(
      max(l + t * Self.presence(lab.x), 0), re * a - im * b + tint.x, re * b + im * a + tint.y)
  }

  /// Whether lightness rises with luminance for every hue and saturation.
  var isMonotone: Bool {
    let steps = 48
    for hue in 0..<24 {
      for saturation in 0..<4 {
        let angle = Double(hue) * .pi / 12
        let direction =
          SIMD3(1, cos(angle), sin(angle))
          * SIMD3(
            1, 0.15 * Double(saturation), 0.15 * Double(saturation))
        var last = 0.0
        for step in 1...steps {
          let next = self(direction * (Double(step) / Double(steps))).x
          if next < last + 0.1 / Double(steps) { return false }
          last = next
        }
        if saturation == 0, hue > 0 { break }
      }
    }
    return true
  }

  /// This mapping with its changes of color and of their lightness scaled by `factor`.
  func weakened(_ factor: Double) -> CameraLook {
    var mapping = self
    mapping.lightness = lightness.map { $0 * factor }
    mapping.stretch = stretch.map { $0 * factor }
    mapping.turn = turn.map { $0 * factor }
    return mapping
  }
}

extension CameraLook {
  /// The mapping as a 3D LUT with `side` entries a side, in signals of `space`.
  func table(_ space: LookSpace = .displayP3, side: Int = 33) -> ColorLookup? {
    let toLMS = Oklab.toLMS * space.primaries.conversion(to: .bt2020)
    guard let fromLMS = toLMS.inverse else { return nil }
    let levels = (0..<side).map { space.fraction(Double($0) / Double(side - 1)) }
    var values: [Float] = []
    values.reserveCapacity(3 * side * side * side)
    for blue in levels {
      for green in levels {
        for red in levels {
          let lms = toLMS * SIMD3(red, green, blue)
          let lab = self(Oklab.toLab * SIMD3(cbrt(lms.x), cbrt(lms.y), cbrt(lms.z)))
          let root = Oklab.fromLab * lab
          let color = Self.limited(fromLMS * (root * root * root), top: max(red, green, blue))
          for channel in 0..<3 { values.append(Float(space.signal(color[channel]))) }
        }
      }
    }
    return ColorLookup(side: side, isCube: true, values: values)
  }

  /// `color` limited to the primaries; `top`: its largest channel before the mapping.
  private static func limited(_ color: SIMD3<Double>, top: Double) -> SIMD3<Double> {
    let largest = color.max()
    guard largest > 0, top > 0 else { return SIMD3(repeating: 0) }
    let u = smoothstep((top - 0.7) / 0.3)
    let soft = largest > 0.8 ? 1 - 0.2 * exp(4 - 5 * largest) : largest
    let wanted = pow(soft, 1 - u) * pow(top, u)
    let scaled = color * (wanted / largest)
    let lowest = scaled.min()
    guard lowest < 0 else { return scaled }
    // Towards the gray of its largest channel.
    let gray = SIMD3(repeating: wanted)
    return gray + (scaled - gray) * (wanted / (wanted - lowest))
  }
}
