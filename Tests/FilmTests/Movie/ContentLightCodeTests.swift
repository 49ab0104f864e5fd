import Testing

@testable import Film

struct ContentLightCodeTests {
  @Test("Levels are rounded up, never unknown, and within what the box holds")
  func values() {
    func code(_ maximum: Double, _ average: Double) -> [Int] {
      let code = ContentLightCode(maximum: maximum, average: average)
      return [code.maximum, code.average]
    }
    #expect(code(999.2, 100.01) == [1000, 101])
    #expect(code(0, 0) == [1, 1])
    #expect(code(1e9, 10) == [65_535, 10])
    #expect(code(10, 20) == [10, 10])
    #expect(code(1024, 1) == [1025, 1])
    #expect(code(1024, 4) == [1024, 4])
  }

  @Test("No four bytes have to be escaped in a message of HEVC")
  func escapes() {
    for maximum in stride(from: 1, through: 65_535, by: 1) {
      for average in [1, 2, 3, 4, 255, 256, 257, 512] where average <= maximum {
        // Between the length and the bit that ends the message.
        let bytes =
          [4] + ContentLightCode(maximum: Double(maximum), average: Double(average)).bytes + [0x80]
        for at in 0..<bytes.count - 2 where bytes[at] == 0 && bytes[at + 1] == 0 {
          #expect(bytes[at + 2] > 3, "\(maximum), \(average)")
        }
      }
    }
  }
}
