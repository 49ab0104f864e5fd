import CKernels
import Foundation
import ImageCore

/// A look as a table of colors: three curves, or a cube.
package struct ColorLookup: Sendable, Hashable {
  /// Entries of a curve, or along a side of the cube.
  package let side: Int
  package let isCube: Bool
  /// Signals out, red, green and blue in turn; of a cube red moves fastest.
  package let values: [Float]
  /// Signals in of the first and the last entry.
  package let domain: (first: SIMD3<Float>, last: SIMD3<Float>)

  /// nil unless there are as many values as entries and all are finite, with 2 entries or more and
  /// a domain that rises.
  package init?(
    side: Int, isCube: Bool, values: [Float], first: SIMD3<Float> = SIMD3(0, 0, 0),
    last: SIMD3<Float> = SIMD3(1, 1, 1)
  ) {
    guard side >= 2, values.count == 3 * (isCube ? side * side * side : side),
      values.allSatisfy(\.isFinite), (0..<3).allSatisfy({ first[$0] < last[$0] })
    else { return nil }
    (self.side, self.isCube, self.values) = (side, isCube, values)
    domain = (first, last)
  }

  package static func == (a: ColorLookup, b: ColorLookup) -> Bool {
    a.side == b.side && a.isCube == b.isCube && a.values == b.values && a.domain == b.domain
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(side)
    hasher.combine(isCube)
    hasher.combine(values)
  }
}

/// A ``ColorLookup`` on rows of linear display values.
///
/// Source: linear interpolation of curves; tetrahedral interpolation of cubes (Kasson, Plouffe and
/// Nin, 1993), which keeps grays gray. With V the table between signals of a ``LookSpace``, e its
/// transfer function, m = max(r, g, b) / peak and k = max(m, 1):
///
///     out = k · e⁻¹(V(e(rgb / k)))        in the space's primaries, limited to the ceiling
///     rgb' = rgb + amount · (out − rgb)
///
/// So a table for SDR is a look for HDR, too: what is above white gets the change of the color of
/// its chromaticity at white, and keeps its headroom. Out of the space's gamut the nearest color is
/// looked up and the difference added again. Domain: linear display values, 1.0 = reference white,
/// unbounded; amount 0…1. Laws: values up to white do not depend on the headroom; nothing exceeds
/// the ceiling. Known failures: a table that lifts black lifts negative values of saturated colors
/// with it; curves of signals near black are as fine as the table's steps.
struct LookTable: Sendable {
  private static let octaves = 24
  private static let cells = 4096

  private let cube: [Float]
  private let curves: [Float]
  private let side: Int32
  private let start: ck_threeValues
  private let scale: ck_threeValues
  private let encoding: OctaveTable
  private let below: Float
  private let decoding: [Float]
  private let toSignal: ck_matrix
  private let fromSignal: ck_matrix
  private let range: Float
  private let amount: Float
  private let ceiling: Float

  /// For rows that `toBT2020` brings to BT.2020, whose largest value is `ceiling`.
  init(_ look: DisplayLook.Lookup, toBT2020: Matrix3, ceiling: Float) {
    let (table, space) = (look.table, look.space)
    let side = table.side
    func entry(_ index: Int) -> [Float] { Array(table.values[3 * index..<3 * index + 3]) }
    if table.isCube {
      var cube: [Float] = []
      cube.reserveCapacity(4 * side * side * side)
      for red in 0..<side {
        for green in 0..<side {
          for blue in 0..<side { cube += entry((blue * side + green) * side + red) + [0] }
        }
      }
      (self.cube, curves) = (cube, [])
    } else {
      cube = []
      curves = (0..<3).flatMap { channel in
        Self.pairs((0..<side).map { Double(table.values[3 * $0 + channel]) })
      }
    }
    self.side = Int32(side)
    start = ck_threeValues(table.domain.first)
    scale = ck_threeValues(SIMD3(1, 1, 1) / (table.domain.last - table.domain.first))
    let black = space.signal(0)
    encoding = OctaveTable(octaves: Self.octaves) { space.signal($0) - black }
    below = encoding.pairs[0] * exp2(Float(Self.octaves))
    decoding = Self.pairs((0...Self.cells).map { space.fraction(Double($0) / Double(Self.cells)) })
    let inward = Primaries.bt2020.conversion(to: space.primaries) * toBT2020
    toSignal = ck_matrix(inward)
    fromSignal = ck_matrix(inward.inverse ?? .identity)
    range = Float(1 / space.peak)
    amount = look.amount
    self.ceiling = ceiling
  }

  private static func pairs(_ values: [Double]) -> [Float] {
    zip(values, values.dropFirst() + values.suffix(1)).flatMap { [Float($0), Float($1 - $0)] }
  }

  /// Changes each pixel in place; NaN becomes 0.
  func apply(_ rows: RGBRows) {
    withUnsafePointers { cube, curves, encoding, decoding in
      let step = 2 * Int(side)
      var lookup = ck_lookup(
        cube: cube, curves: (curves, curves.map { $0 + step }, curves.map { $0 + 2 * step }),
        side: side, start: start, scale: scale, encoding: encoding, lowest: self.encoding.lowest,
        below: below, decoding: decoding, cells: Int32(Self.cells), toSignal: toSignal,
        fromSignal: fromSignal, range: range, amount: amount, ceiling: ceiling)
      ck_lookupRow(&lookup, rows.kernel, Int64(rows.count))
    }
  }

  private func withUnsafePointers(
    _ body: (
      UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?
    ) -> Void
  ) {
    cube.withUnsafeBufferPointer { cube in
      curves.withUnsafeBufferPointer { curves in
        encoding.pairs.withUnsafeBufferPointer { encoding in
          decoding.withUnsafeBufferPointer { decoding in
            body(
              cube.isEmpty ? nil : cube.baseAddress, curves.isEmpty ? nil : curves.baseAddress,
              encoding.baseAddress, decoding.baseAddress)
          }
        }
      }
    }
  }
}
