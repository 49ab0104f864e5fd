/// MapTable (DNG 1.7.1 chapter 7, id 7) and MapPolynomial (id 8): maps each value to a new one.
///
/// Formula: table[round(65535·x)], clamped to the last entry; Σ cᵢ·xⁱ, i up to 8.
/// Units: 0…1 in lists 2 and 3; list 1 of an integer file works in stored values, 0…65535.
/// Clipped to that range before and after, as specified: values above white are clipped.
package struct LookupTable: Sendable {
  package enum Function: Sendable, Hashable {
    case table([UInt16])
    /// c₀ first.
    case polynomial([Float])
  }

  package let area: OpcodeArea
  package let function: Function

  package init(area: OpcodeArea, function: Function) {
    self.area = area
    self.function = function
  }

  init(table reader: inout OpcodeReader) throws(OpcodeDamage) {
    area = try OpcodeArea(&reader)
    let count = try reader.word()
    guard (1...65536).contains(count) else { throw OpcodeDamage() }
    try reader.require(count, of: 2)
    var entries: [UInt16] = []
    for _ in 0..<count { entries.append(try reader.short()) }
    function = .table(entries)
  }

  init(polynomial reader: inout OpcodeReader) throws(OpcodeDamage) {
    area = try OpcodeArea(&reader)
    let degree = try reader.word()
    guard degree <= 8 else { throw OpcodeDamage() }
    let coefficients = try reader.doubles(degree + 1).map { Float($0) }
    guard coefficients.allSatisfy({ $0.isFinite }) else { throw OpcodeDamage() }
    function = .polynomial(coefficients)
  }

  /// Whether no value changes.
  var isIdentity: Bool {
    switch function {
    case .table(let entries):
      return entries.count == 65536 && entries.indices.allSatisfy { Int(entries[$0]) == $0 }
    case .polynomial(let c):
      return c.count >= 2 && c[0] == 0 && c[1] == 1 && c.dropFirst(2).allSatisfy { $0 == 0 }
    }
  }
}
