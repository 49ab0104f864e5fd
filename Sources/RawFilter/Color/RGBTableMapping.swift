import CVector
import Foundation
import ImageCore

/// ``RGBTable`` on rows of linear ProPhoto pixels, eight at a time.
///
/// In profiles of standard range the cube spans light of 0…1, in those of high range 0…16, compressed
/// (``OverRange``). What lies beyond is moved to the cube's surface and the difference added again
/// afterwards: always above, since light is not to be lost there, and below 0 where the table asks
/// for it. The curves are those of the DNG reference: 1.8 and 2.2 have a cubic toe of slope 32.
struct RGBTableMapping: Sendable {
  private let cube: [Float]
  private let side: Int32
  private let toTable: [Float]
  private let fromTable: [Float]
  private let hasMatrix: Bool
  private let extends: Bool
  private let isHighRange: Bool
  private let encoding: [Float]
  private let decoding: [Float]

  private static let cells = 4096

  init(_ table: RGBTable, isHighRange: Bool) {
    let samples = table.samples
    var cube: [Float] = []
    for i in stride(from: 0, to: samples.count, by: 3) {
      cube += [samples[i], samples[i + 1], samples[i + 2], 0]
    }
    self.cube = cube
    side = Int32(table.divisions)
    hasMatrix = table.space != .proPhoto
    let back = table.space.toProPhoto
    func flat(_ m: Matrix3) -> [Float] { (0..<9).map { Float(m[$0 / 3, $0 % 3]) } }
    fromTable = flat(back)
    toTable = flat(back.inverse ?? .identity)
    extends = table.extendsGamut
    self.isHighRange = isHighRange
    let gamma = table.gamma
    encoding = gamma == .linear ? [] : Self.pairs { gamma.signal($0) }
    decoding = gamma == .linear ? [] : Self.pairs { gamma.light($0) }
  }

  /// Maps `count` pixels in place; rows may be read and written up to the next multiple of eight.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    var i = 0
    while i < count {
      let source = RGBLanes(
        x: cv_number8(cv_load8(r + i)), y: cv_number8(cv_load8(g + i)),
        z: cv_number8(cv_load8(b + i)))
      let light = hasMatrix ? product(toTable, source) : source
      let (red, green, blue) = (clamped(light.x), clamped(light.y), clamped(light.z))
      let out = looked(RGBLanes(x: red, y: green, z: blue))
      let back = RGBLanes(
        x: out.x + rest(light.x, red), y: out.y + rest(light.y, green),
        z: out.z + rest(light.z, blue))
      let end = hasMatrix ? product(fromTable, back) : back
      cv_store8(r + i, end.x)
      cv_store8(g + i, end.y)
      cv_store8(b + i, end.z)
      i &+= 8
    }
  }

  @inline(__always)
  private func clamped(_ x: SIMD8<Float>) -> SIMD8<Float> {
    cv_clamp8(x, .zero, SIMD8(repeating: isHighRange ? 16 : 1))
  }

  @inline(__always)
  private func rest(_ x: SIMD8<Float>, _ inside: SIMD8<Float>) -> SIMD8<Float> {
    extends ? x - inside : cv_max8(x - inside, .zero)
  }

  @inline(__always)
  private func looked(_ light: RGBLanes) -> RGBLanes {
    var p = light
    if isHighRange {
      p = RGBLanes(
        x: OverRange.compressed(p.x), y: OverRange.compressed(p.y), z: OverRange.compressed(p.z))
    }
    let scale = Float(side - 1)
    p = RGBLanes(x: curve(encoding, p.x), y: curve(encoding, p.y), z: curve(encoding, p.z))
    var out = p
    cube.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress else { return }
      let place = RGBLanes(x: p.x * scale, y: p.y * scale, z: p.z * scale)
      out.withNumbers { cv_cube8(table, side, place.x, place.y, place.z, $0) }
    }
    out = RGBLanes(x: curve(decoding, out.x), y: curve(decoding, out.y), z: curve(decoding, out.z))
    guard isHighRange else { return out }
    return RGBLanes(
      x: OverRange.expanded(out.x), y: OverRange.expanded(out.y), z: OverRange.expanded(out.z))
  }

  @inline(__always)
  private func curve(_ pairs: [Float], _ x: SIMD8<Float>) -> SIMD8<Float> {
    let inside = cv_clamp8(x, .zero, SIMD8(repeating: 1))
    return pairs.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress, !buffer.isEmpty else { return inside }
      return cv_evenTable8(table, inside * Float(Self.cells))
    }
  }

  @inline(__always)
  private func product(_ m: [Float], _ v: RGBLanes) -> RGBLanes {
    func row(_ i: Int) -> SIMD8<Float> {
      let (a, b, c) = (v.x * m[i], v.y * m[i + 1], v.z * m[i + 2])
      return a + b + c
    }
    return RGBLanes(x: row(0), y: row(3), z: row(6))
  }

  private static func pairs(_ f: (Double) -> Double) -> [Float] {
    let values = (0...cells).map { Float(f(Double($0) / Double(cells))) }
    var pairs: [Float] = []
    for cell in 0..<cells { pairs += [values[cell], values[cell + 1] - values[cell]] }
    return pairs + [values[cells], 0]
  }
}

extension RGBTable.Gamma {
  /// Where the cubic toes of the power curves end: light, signal, slope there.
  private var toe: (power: Double, light: Double, signal: Double, slope: Double)? {
    switch self {
    case .power18: (1.8, 8.2118790552e-4, 0.019310851, 13.064306598)
    case .power22: (2.2, 0.0034800731, 0.0763027458, 9.9661890075)
    default: nil
    }
  }

  /// The signal of light 0…1.
  func signal(_ x: Double) -> Double {
    switch self {
    case .linear: return x
    case .srgb: return SRGB.signal(linear: x)
    case .bt2020:
      return x < 0.018053968510807 ? 4.5 * x : 1.09929682680944 * pow(x, 0.45) - 0.09929682680944
    case .power18, .power22:
      guard let toe else { return x }
      if x > toe.light { return pow(x, 1 / toe.power) }
      let b = x / toe.light
      let c = 1 - b
      return 32 * x * c * c
        + (toe.signal * (2 - b + c) - toe.slope * toe.light * c) * b * b
    }
  }

  /// The light of a signal 0…1; in the toe by bisection.
  func light(_ y: Double) -> Double {
    if self == .linear { return y }
    if self == .srgb { return SRGB.linear(signal: y) }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<52 {
      let middle = (low + high) / 2
      if signal(middle) < y { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
