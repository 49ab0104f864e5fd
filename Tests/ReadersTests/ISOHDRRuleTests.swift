import ImageCore
import Testing

@testable import Readers

@Suite struct ISOHDRRuleTests {
  @Test func namesWhatFails() throws {
    func failed(_ primaries: UInt16, _ transfer: UInt16, _ bits: Int) throws -> [ISOHDRRule] {
      let color = try #require(
        ColorDescription(primaries: primaries, transfer: transfer, matrix: 9))
      return ISOHDRRule.failed(by: color, bitDepth: bits)
    }
    #expect(try failed(9, 16, 10).isEmpty && failed(9, 18, 12).isEmpty)
    #expect(try failed(9, 18, 8) == [.bitDepth])
    #expect(try failed(12, 16, 10) == [.primaries])
    #expect(try failed(12, 13, 8) == [.transferFunction, .primaries, .bitDepth])
    #expect(
      ISOHDRRule.failed(by: .assumed, bitDepth: 8)
        == [.transferFunction, .primaries, .bitDepth, .signalling])
  }
}
