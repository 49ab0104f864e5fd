import Foundation

/// WarpRectilinear, WarpFisheye and WarpRectilinear2 (DNG 1.7.1 chapter 7, ids 1, 2 and 14): the
/// source position of each pixel of the corrected picture.
///
/// Formula, with (Δx, Δy) the vector from the center as a fraction of the distance to the farthest
/// corner, r its length, f the radial factor and kt the tangential coefficients: x = Δx·f +
/// kt₀·2ΔxΔy + kt₁·(r² + 2Δx²), y = Δy·f + kt₁·2ΔxΔy + kt₀·(r² + 2Δy²). Non-square pixels are made
/// square first. As in the reference renderer the center is measured from the center of the first
/// pixel, in fractions of the full width and height. One set of coefficients for all planes, or one
/// for each to correct lateral color. Lens profiles use the same warp with sampled factors.
package struct LensWarp: Sendable {
  /// The factor f.
  package enum Radial: Sendable, Hashable {
    /// k₀ + k₁r² + k₂r⁴ + k₃r⁶.
    case even(SIMD4<Double>)
    /// (k₀θ + k₁θ³ + k₂θ⁵ + k₃θ⁷)/r, θ = atan r.
    case fisheye(SIMD4<Double>)
    /// Σ kₚrᵖ, p = 0…14, r clamped to a range; a divisor instead of a factor if reciprocal.
    case powers(SIMD16<Double>, range: ClosedRange<Double>, isReciprocal: Bool)
    /// f at the squared radii 0, 1/``samples``, … 1 and once more 1, with linear interpolation. A
    /// square root and polynomials for each position would take longer than the resampling. Within
    /// 0.01 pixels of lens profiles, whose factors bend most near the axis.
    case sampled([Double])

    /// Number of intervals of a sampled factor.
    package static let samples = 4096

    /// 1 + distortion · (green − 1) + lateral · (own − green), exact for polynomials.
    fileprivate static func mixed(
      _ own: Radial, _ green: Radial, _ distortion: Double, _ lateral: Double
    ) -> Radial {
      if case .even(let k) = own, case .even(let g) = green {
        let one = SIMD4<Double>(1, 0, 0, 0)
        return .even(one + distortion * (g - one) + lateral * (k - g))
      }
      return .sampled(
        (0...samples + 1).map { index in
          let square = Double(min(index, samples)) / Double(samples)
          let f = green.factor(square)
          return 1 + distortion * (f - 1) + lateral * (own.factor(square) - f)
        })
    }

    /// f at a squared radius.
    fileprivate func factor(_ square: Double) -> Double {
      switch self {
      case .even(let k):
        return k[0] + square * (k[1] + square * (k[2] + square * k[3]))
      case .fisheye(let k):
        let r = square.squareRoot()
        guard r > 1e-9 else { return k[0] }
        let angle = atan(r)
        let a = angle * angle
        return angle * (k[0] + a * (k[1] + a * (k[2] + a * k[3]))) / r
      case .powers(let k, let range, let isReciprocal):
        let r = min(max(square.squareRoot(), range.lowerBound), range.upperBound)
        var sum = 0.0
        for p in (0..<15).reversed() { sum = sum * r + k[p] }
        return isReciprocal ? 1 / sum : sum
      case .sampled(let factors):
        let position = square * Double(Self.samples)
        let index = Int(position)
        return factors[index] + (factors[index + 1] - factors[index]) * (position - Double(index))
      }
    }
  }

  /// The coefficients of one plane.
  package struct Plane: Sendable, Hashable {
    package var radial: Radial
    package var tangential: SIMD2<Double>
    /// Added at the position computed by the other terms.
    package var lateral: LateralShift?

    package init(
      radial: Radial, tangential: SIMD2<Double> = SIMD2(), lateral: LateralShift? = nil
    ) {
      (self.radial, self.tangential, self.lateral) = (radial, tangential, lateral)
    }

    package var isIdentity: Bool {
      guard tangential == SIMD2(), lateral == nil else { return false }
      switch radial {
      case .even(let k): return k == SIMD4(1, 0, 0, 0)
      case .powers(let k, _, _): return (0..<16).allSatisfy { k[$0] == ($0 == 0 ? 1 : 0) }
      case .fisheye: return false
      case .sampled(let factors): return factors.allSatisfy { $0 == 1 }
      }
    }

    /// Source of (`x`, `y`), both normalized; NaN where the coefficients have no solution.
    func source(_ x: Double, _ y: Double) -> SIMD2<Double> {
      let square = min(x * x + y * y, 1)
      let f = radial.factor(square)
      let (t0, t1) = (tangential.x, tangential.y)
      let cross = 2 * x * y
      return SIMD2(
        x * f + t0 * cross + t1 * (square + 2 * x * x),
        y * f + t1 * cross + t0 * (square + 2 * y * y))
    }
  }

  /// One for all planes, or one for each plane.
  package let planes: [Plane]
  /// In fractions of the picture size.
  package let center: (x: Double, y: Double)

  init(rectilinear reader: inout OpcodeReader) throws(OpcodeDamage) {
    let (sets, center) = try Self.sets(of: 6, &reader)
    self.init(
      planes: sets.map {
        Plane(radial: .even(SIMD4($0[0..<4])), tangential: SIMD2($0[4], $0[5]))
      }, center: center)
  }

  init(fisheye reader: inout OpcodeReader) throws(OpcodeDamage) {
    let (sets, center) = try Self.sets(of: 4, &reader)
    self.init(
      planes: sets.map { Plane(radial: .fisheye(SIMD4($0)), tangential: SIMD2()) },
      center: center)
  }

  init(rectilinear2 reader: inout OpcodeReader) throws(OpcodeDamage) {
    let (sets, center) = try Self.sets(of: 19, &reader)
    let kind = try reader.word()
    guard kind <= 1 else { throw OpcodeDamage() }
    self.init(
      planes: sets.map {
        // An upper bound that is not above the lower one leaves no range: the lower one applies.
        let lower = min(max($0[17], 0), 1)
        return Plane(
          radial: .powers(
            SIMD16($0[0..<15] + [0]), range: lower...max(lower, $0[18]), isReciprocal: kind == 1),
          tangential: SIMD2($0[15], $0[16]))
      }, center: center)
  }

  /// The coefficients of each plane, `count` numbers, and the center.
  private static func sets(
    of count: Int, _ reader: inout OpcodeReader
  ) throws(OpcodeDamage) -> (sets: [[Double]], center: (x: Double, y: Double)) {
    let planes = try reader.word()
    guard (1...4).contains(planes) else { throw OpcodeDamage() }
    var sets: [[Double]] = []
    for _ in 0..<planes { sets.append(try reader.doubles(count)) }
    let center = (x: try reader.double(), y: try reader.double())
    guard (0...1).contains(center.x), (0...1).contains(center.y) else { throw OpcodeDamage() }
    return (sets, center)
  }

  package init(planes: [Plane], center: (x: Double, y: Double)) {
    // Equal sets are merged: the planes are then resampled with one field.
    self.planes = Set(planes).count == 1 ? [planes[0]] : planes
    self.center = center
  }

  /// This warp for a picture whose lateral color before it is `color`.
  package func correcting(_ color: LateralColor) -> LensWarp {
    func plane(_ index: Int, _ shift: LateralShift?) -> Plane {
      var plane = planes[min(index, planes.count - 1)]
      plane.lateral = shift
      return plane
    }
    return LensWarp(
      planes: [plane(0, color.red), plane(1, nil), plane(2, color.blue)], center: center)
  }

  /// This warp with fractions of its distortion (of green) and of its lateral color (the difference
  /// of the planes from green); 1 is the full effect. Intermediate positions are interpolated.
  package func scaled(distortion: Double, lateral: Double) -> LensWarp {
    guard distortion != 1 || lateral != 1 else { return self }
    let green = planes[min(1, planes.count - 1)]
    return LensWarp(
      planes: planes.map { plane in
        var scaled = plane
        scaled.radial = .mixed(plane.radial, green.radial, distortion, lateral)
        scaled.tangential =
          distortion * green.tangential + lateral * (plane.tangential - green.tangential)
        return scaled
      }, center: center)
  }

  /// The identity warp.
  package static let identity = LensWarp(
    planes: [Plane(radial: .even(SIMD4(1, 0, 0, 0)))], center: (x: 0.5, y: 0.5))

  package var isIdentity: Bool { planes.allSatisfy(\.isIdentity) }

  /// The sampled factors of all planes, concatenated; empty unless every plane has them.
  var sampledFactors: [Double] {
    var all: [Double] = []
    for plane in planes {
      guard case .sampled(let factors) = plane.radial else { return [] }
      all += factors
    }
    return all
  }
}
