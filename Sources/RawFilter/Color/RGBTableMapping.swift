import CKernels
import Foundation
import ImageCore
import RawDecode

/// ``RGBTable`` on rows of linear ProPhoto pixels, eight at a time.
///
/// In SDR profiles the cube spans linear values of 0…1, in HDR profiles 0…16, compressed
/// (`OverRange.h`). Values beyond are clamped to the cube and the difference is added again
/// afterwards: always above, to preserve highlights, and below 0 if the table requests it. The
/// curves are as in the DNG reference: 1.8 and 2.2 have a cubic toe of slope 32.
struct RGBTableMapping: Sendable {
  private let cube: [Float]
  private let side: Int32
  private let toTable: ck_matrix
  private let fromTable: ck_matrix
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
    fromTable = ck_matrix(back)
    toTable = ck_matrix(back.inverse ?? .identity)
    extends = table.extendsGamut
    self.isHighRange = isHighRange
    let gamma = table.gamma
    encoding = gamma == .linear ? [] : Self.pairs { gamma.signal($0) }
    decoding = gamma == .linear ? [] : Self.pairs { gamma.linearValue($0) }
  }

  /// Maps each pixel of `rows`.
  func apply(_ rows: RGBRows) {
    cube.withUnsafeBufferPointer { cube in
      encoding.withUnsafeBufferPointer { encoding in
        decoding.withUnsafeBufferPointer { decoding in
          var table = ck_rgbTable(
            cube: cube.baseAddress, encoding: encoding.isEmpty ? nil : encoding.baseAddress,
            decoding: decoding.isEmpty ? nil : decoding.baseAddress, side: side,
            cells: Int32(Self.cells), toTable: toTable, fromTable: fromTable,
            hasMatrix: hasMatrix, extends: extends, isHighRange: isHighRange)
          ck_rgbTableRow(&table, rows.kernel, Int64(rows.count))
        }
      }
    }
  }

  private static func pairs(_ f: (Double) -> Double) -> [Float] {
    let values = (0...cells).map { Float(f(Double($0) / Double(cells))) }
    var pairs: [Float] = []
    for cell in 0..<cells { pairs += [values[cell], values[cell + 1] - values[cell]] }
    return pairs + [values[cells], 0]
  }
}

extension RGBTable.Gamma {
  /// End of the cubic toes of the power curves: linear value, signal, slope.
  private var toe: (power: Double, linear: Double, signal: Double, slope: Double)? {
    switch self {
    case .power18: (1.8, 8.2118790552e-4, 0.019310851, 13.064306598)
    case .power22: (2.2, 0.0034800731, 0.0763027458, 9.9661890075)
    default: nil
    }
  }

  /// The signal of a linear value 0…1.
  func signal(_ x: Double) -> Double {
    switch self {
    case .linear: return x
    case .srgb: return SRGB.signal(linear: x)
    case .bt2020: return BT2020.exactSignal(linear: x)
    case .power18, .power22:
      guard let toe else { return x }
      if x > toe.linear { return pow(x, 1 / toe.power) }
      let b = x / toe.linear
      let c = 1 - b
      return 32 * x * c * c
        + (toe.signal * (2 - b + c) - toe.slope * toe.linear * c) * b * b
    }
  }

  /// The linear value of a signal 0…1; in the toe by bisection.
  func linearValue(_ y: Double) -> Double {
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
