import CVector
import Foundation
import ImageCore

/// From the stored samples of a picture to linear values, 1.0 = reference white.
///
/// Source: ``ColorDescription``; PQ by SMPTE ST 2084, HLG by BT.2100-2 table 5 on a display of 1000
/// cd/m² (OOTF with γ = 1.2 on BT.2020 luminance). Curves are tabulated with an entry for each code
/// value, so they are exact; floats are interpolated in tables of 4096 steps and clamped to 0…1.
/// Linear ones are unchanged, and the sRGB curve continues above 1, and below 0 with the sign of
/// the sample (IEC 61966-2-2). Lookup tables of a profile follow, then the matrix.
struct Linearization: Sendable {
  private let tables: [[Float]]
  private let isHLG: Bool
  private let isLinear: Bool
  private let isExtended: Bool
  private let matrix: [SIMD3<Float>]?
  private let lookup: ProfileLookup?
  private let inks: InkLookup?
  private let lab: LabCoding?
  /// Maximum linear value of a channel.
  let peak: Float

  private static let steps = 4096
  private static let luminance = SIMD3<Float>(Primaries.bt2020.luminance)

  init(_ color: ColorDescription, _ format: DecodedSamples.Format) {
    isHLG = color.transfer == .hlg
    if case .lookup(let found) = color.transfer { lookup = found } else { lookup = nil }
    if case .inks(let found) = color.transfer { inks = found } else { inks = nil }
    if case .lab(let found) = color.transfer { lab = found } else { lab = nil }
    isLinear = color.transfer == .linear || lookup != nil
    isExtended = color.transfer == .srgb
    matrix = color.matrix == .identity ? nil : color.matrix.rows.map { SIMD3<Float>($0) }
    let count: Int
    if case .codes(let bits) = format { count = 1 << bits } else { count = Self.steps + 1 }
    func table(_ linear: (Double) -> Double) -> [Float] {
      (0..<count).map { Float(linear(Double($0) / Double(count - 1))) }
    }
    switch color.transfer {
    case .linear, .lookup, .lab: tables = [table { $0 }]
    case .inks: tables = []
    case .srgb: tables = [table { SRGB.linear(signal: $0) }]
    case .bt709: tables = [table { BT2020.exactLinear(signal: $0) }]
    case .gamma(let exponent): tables = [table { pow($0, exponent) }]
    case .pq: tables = [table { PQ.nits(signal: $0) / ReferenceWhite.nits }]
    case .hlg: tables = [table { HLG.scene(signal: $0) }]
    case .curves(let curves):
      tables = curves.map { curve in
        table { position in
          let index = position * Double(curve.count - 1)
          let at = min(Int(index), curve.count - 2)
          guard at >= 0 else { return Double(curve.first ?? 0) }
          return Double(curve[at]) + Double(curve[at + 1] - curve[at]) * (index - Double(at))
        }
      }
    }
    peak =
      isHLG
      ? ReferenceWhite.hlgHeadroom : lookup?.peak ?? tables.compactMap { $0.max() }.max() ?? 1
  }

  /// Writes the linear values of `count` pixels of row `y` of `picture` from column `x` on; gray is
  /// written to all three rows.
  func read(
    _ picture: DecodedSamples, x: Int, y: Int, count: Int,
    into rows: RGBRows
  ) {
    if let inks { return inks.read(picture, x: x, y: y, into: rows.prefix(count)) }
    let start = unsafe picture.row(y) + x * picture.channels * picture.format.bytes
    for channel in 0..<picture.channels {
      let table = tables[channel < tables.count ? channel : 0]
      unsafe table.withUnsafeBufferPointer { table in
        unsafe lookUp(start, picture, channel, count, table, rows[channel])
      }
    }
    if picture.channels == 1 {
      rows.green.update(from: rows.red, count: count)
      rows.blue.update(from: rows.red, count: count)
    }
    if isHLG { show(rows) }
    if let lookup { lookup.apply(rows) }
    if let lab { lab.show(rows) }
    if let matrix { convert(rows, matrix) }
  }

  private func lookUp(
    _ start: UnsafeMutableRawPointer, _ picture: DecodedSamples, _ channel: Int, _ count: Int,
    _ table: UnsafeBufferPointer<Float>, _ out: MutableRowView
  ) {
    let step = picture.channels
    switch picture.format {
    case .codes(let bits) where bits <= 8:
      let codes = unsafe start.assumingMemoryBound(to: UInt8.self) + channel
      let mask = UInt8(truncatingIfNeeded: table.count - 1)
      for i in 0..<count { out[i] = unsafe table[Int(codes[i &* step] & mask)] }
    case .codes:
      let codes = unsafe start.assumingMemoryBound(to: UInt16.self) + channel
      let mask = UInt16(truncatingIfNeeded: table.count - 1)
      for i in 0..<count { out[i] = unsafe table[Int(codes[i &* step] & mask)] }
    case .floats:
      let values = unsafe start.assumingMemoryBound(to: Float.self) + channel
      for i in 0..<count { out[i] = unsafe linear(values[i &* step], table) }
    case .halves:
      let codes = unsafe start.assumingMemoryBound(to: UInt16.self) + channel
      for i in 0..<count { out[i] = unsafe linear(Float(half: codes[i &* step]), table) }
    }
  }

  private func linear(_ value: Float, _ table: UnsafeBufferPointer<Float>) -> Float {
    guard value.isFinite else { return 0 }
    if isLinear { return value }
    if isExtended, value < 0 || value > 1 {
      let linear = Float(SRGB.linear(signal: Double(value)))
      return linear.isFinite ? linear : 0
    }
    let index = min(max(value, 0), 1) * Float(Self.steps)
    let at = min(Int(index), Self.steps - 1)
    return unsafe table[at] + (table[at + 1] - table[at]) * (index - Float(at))
  }

  /// The OOTF of HLG: scene-linear to display-linear values.
  private func show(_ rows: RGBRows) {
    let (k, peak) = (Self.luminance, ReferenceWhite.hlgHeadroom)
    for i in vectors(rows.count) {
      let rgb = rows.lanes(i)
      let y = cv_max8(rgb.weighted(k), SIMD8(repeating: 1e-20))
      rows.setLanes(i, rgb * (cv_exp2_8(cv_log2_8(y) * 0.2) * peak))
    }
  }

  private func convert(_ rows: RGBRows, _ m: [SIMD3<Float>]) {
    for i in vectors(rows.count) {
      let rgb = rows.lanes(i)
      rows.setLanes(
        i, RGBLanes(rgb.weighted(m[0]), rgb.weighted(m[1]), rgb.weighted(m[2])))
    }
  }
}
