/// A function on 0…1 as a lookup table for the loops in C (`OctaveTable.h` of CKernels): at even
/// steps of the bits of its argument, 128 an octave, as pairs of a value and the step to the next.
/// Linear between the steps; the last pair is for 1.
package struct OctaveTable: Sendable, Hashable {
  private static let stepsPerOctave = 128

  package let pairs: [Float]
  /// The bits of the argument of the first pair, 2 to the power of −octaves.
  package let lowest: Int32

  /// `value` over the `octaves` below 1.
  package init(octaves: Int, _ value: (Double) -> Double) {
    let first = UInt32(127 - octaves) << 23
    let values: [Float] = (0...octaves * Self.stepsPerOctave).map { index in
      // 23 bits of the mantissa less 7 of the index.
      Float(value(Double(Float(bitPattern: first + UInt32(index) << 16))))
    }
    var pairs: [Float] = []
    for (value, next) in zip(values, values.dropFirst()) { pairs += [value, next - value] }
    self.pairs = pairs + [values[values.count - 1], 0]
    lowest = Int32(bitPattern: first)
  }
}
