/// The inverse of a LinearizationTable that ascends to 65535: the code whose entry is nearest.
struct CodeLookup: Sendable {
  private let codes: [UInt16]

  init(_ table: [UInt16]) {
    var codes = [UInt16](repeating: 0, count: 65_536)
    var code = 0
    for value in codes.indices {
      while code + 1 < table.count,
        abs(Int(table[code + 1]) - value) <= abs(Int(table[code]) - value)
      { code += 1 }
      codes[value] = UInt16(code)
    }
    self.codes = codes
  }

  /// The code for a linear value, clipped to 0…1.
  subscript(linear: Double) -> UInt16 {
    codes[Int((min(1, max(0, linear)) * 65_535).rounded())]
  }
}
