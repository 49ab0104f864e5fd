import Foundation

/// A function of light as a table over the logarithm of its argument: 256 knots in each octave,
/// straight lines between. The bits of a float are its own index: exponent and the first eight bits
/// of the mantissa name the knot, the other fifteen the place behind it.
///
/// Domain: arguments are clamped to the octaves of the table; NaN counts as the lower end. Error for
/// a power or logarithm: f″h²/8 with h = x/256, below 2·10⁻⁶ of full scale, 0.13 of a 16-bit code.
struct TransferTable: Sendable {
  private let knots: [Float]
  private let low: Float
  private let high: Float
  private let base: Int32
  private static let mantissaBits: Int32 = 15
  private static let fractionMask: UInt32 = 0x7FFF

  /// `function` over 2^`octaves.lowerBound` … 2^`octaves.upperBound`; argument 0 gets the value at
  /// the lower end.
  init(octaves: Range<Int>, _ function: (Double) -> Double) {
    let perOctave = 256
    // One knot more than is used: the last place is read with weight 0.
    knots = (0...octaves.count * perOctave + 1).map { index in
      let octave = octaves.lowerBound + index / perOctave
      let share = 1 + Double(index % perOctave) / Double(perOctave)
      return Float(function(share * exp2(Double(octave))))
    }
    low = Float(exp2(Double(octaves.lowerBound)))
    high = Float(exp2(Double(octaves.upperBound)))
    base = Int32(bitPattern: low.bitPattern) >> Self.mantissaBits
  }

  /// Calls `body` with a lookup that reads the table without bounds checks; its argument's clamping
  /// keeps it inside.
  func withLookup<R>(_ body: (Lookup) -> R) -> R {
    knots.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { fatalError("a transfer table has knots") }
      return body(Lookup(knots: start, low: low, high: high, base: base))
    }
  }

  /// The table while it is being read.
  struct Lookup {
    fileprivate let knots: UnsafePointer<Float>
    fileprivate let low: Float
    fileprivate let high: Float
    fileprivate let base: Int32

    /// The function at `x`.
    @inline(__always) func callAsFunction(_ x: Float) -> Float {
      let fromBelow = x > low ? x : low
      let bits = (fromBelow < high ? fromBelow : high).bitPattern
      let knot = knots + Int(Int32(bitPattern: bits) >> TransferTable.mantissaBits &- base)
      let place = Float(Int32(bitPattern: bits & TransferTable.fractionMask)) * (1 / 32_768)
      return knot[0] + place * (knot[1] - knot[0])
    }
  }
}
