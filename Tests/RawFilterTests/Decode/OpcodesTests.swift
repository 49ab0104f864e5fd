import Testing

@testable import RawFilter

@Suite struct OpcodesTests {
  private static func opcode(_ id: UInt8, _ length: UInt8) -> [UInt8] {
    [0, 0, 0, id, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, length]
      + [UInt8](repeating: 7, count: Int(length))
  }

  @Test func countsWhatIsNotApplied() {
    let list = [0, 0, 0, 3] + Self.opcode(8, 5) + Self.opcode(9, 0) + Self.opcode(1, 12)
    #expect(Opcodes.unapplied(in: list, isSecondList: true) == 2)
    #expect(Opcodes.unapplied(in: list, isSecondList: false) == 3)
    #expect(Opcodes.unapplied(in: [], isSecondList: true) == 0)
  }

  @Test func endsWhereTheListDoes() {
    let list = [0xFF, 0xFF, 0xFF, 0xFF] + Self.opcode(1, 2) + [0, 0, 0, 9]
    #expect(Opcodes.unapplied(in: list, isSecondList: false) == 1)
  }
}
