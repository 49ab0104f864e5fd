import ImageCore
import TestSupport
import Testing

@testable import RawDecode

@Suite struct VC5CodeBookTests {
  /// All codes of the book, with a leading 1.
  var codes: [UInt32] {
    VC5CodeBook.magnitudes + VC5CodeBook.runs.map(\.code) + [VC5CodeBook.end]
  }

  /// Every bit sequence starts with exactly one code.
  @Test func theBookIsACompletePrefixCode() {
    let ranges = codes.map { code -> Range<UInt32> in
      let free = UInt32(26 - (31 - code.leadingZeroBitCount))
      let start = (code << free) & 0x3FF_FFFF
      return start..<start + 1 << free
    }.sorted { $0.lowerBound < $1.lowerBound }
    #expect(codes.count == 264)
    #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == 1 << 26)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
  }

  /// A band of these coefficients, as coded magnitudes and signs, and the expected result.
  func band(_ coefficients: [Int]) -> (bytes: [UInt8], decoded: [Int16]) {
    var bits = VC5TestStream.Bits()
    var zeros = 0
    func flush() {
      for run in VC5CodeBook.runs.reversed() {
        while zeros >= run.zeros {
          bits.put(code: run.code)
          zeros -= run.zeros
        }
      }
    }
    for coefficient in coefficients {
      guard coefficient != 0 else {
        zeros += 1
        continue
      }
      flush()
      bits.put(code: VC5CodeBook.magnitudes[abs(coefficient) - 1])
      bits.put(coefficient < 0 ? 1 : 0, 1)
    }
    flush()
    bits.put(code: VC5CodeBook.end)
    let decoded = coefficients.map { m -> Int16 in
      let cube = Double(abs(m) * abs(m) * abs(m)) * 768 / (255 * 255 * 255)
      return Int16(m.signum() * (abs(m) + Int(cube)))
    }
    return (bits.bytes, decoded)
  }

  func read(_ bytes: [UInt8], _ size: PixelSize) throws -> [Int16]? {
    try bytes.withUnsafeBytes { buffer in
      try VC5BandReader.highPass(ByteView(buffer), size).map { plane in
        (0..<size.area).map { plane.all[$0] }
      }
    }
  }

  func check(_ coefficients: [Int], width: Int) throws {
    let (bytes, decoded) = band(coefficients)
    let size = PixelSize(width: width, height: coefficients.count / width)
    #expect(try read(bytes, size) == decoded)
    // Followed by any bytes, and truncated in the end code.
    #expect(try read(bytes + [0xFF, 0xFF, 0x13], size) == decoded)
    #expect(try read(Array(bytes.dropLast()), size) == nil)
  }

  @Test func everyMagnitudeOfBothSigns() throws {
    try check((1...255).flatMap { [$0, -$0] }, width: 51)
    try check((1...255).flatMap { [$0, 0, -$0, 0, 0] }, width: 75)
  }

  @Test func everyRun() throws {
    for length in 0...700 {
      try check([Int](repeating: 0, count: length) + [3], width: 1)
      try check([-2] + [Int](repeating: 0, count: length), width: 1)
    }
  }

  @Test func mixturesGoOverTheEndsOfRows() throws {
    var numbers = TestNumbers(state: 51)
    for _ in 0..<50 {
      var coefficients: [Int] = []
      while coefficients.count < 900 {
        coefficients += [Int](repeating: 0, count: numbers.next(numbers.next(400) + 1))
        coefficients.append((numbers.next(numbers.next(255) + 1) + 1) * (1 - 2 * numbers.next(2)))
      }
      try check(Array(coefficients.prefix(900)), width: 30)
    }
  }

  @Test func aRunBeyondTheBandIsDamage() throws {
    for run in VC5CodeBook.runs {
      var bits = VC5TestStream.Bits()
      bits.put(code: run.code)
      bits.put(code: VC5CodeBook.end)
      #expect(try read(bits.bytes, PixelSize(width: run.zeros, height: 1)) != nil)
      #expect(try read(bits.bytes, PixelSize(width: run.zeros + 1, height: 1)) == nil)
      guard run.zeros > 1 else { continue }
      #expect(try read(bits.bytes, PixelSize(width: run.zeros - 1, height: 1)) == nil)
    }
  }

  @Test func bytesThatAreNoBandAreDamage() throws {
    let size = PixelSize(width: 40, height: 30)
    for byte in UInt8.min...UInt8.max {
      #expect(try read([UInt8](repeating: byte, count: 1500), size) == nil, "\(byte)")
    }
    for length in 0..<9 { #expect(try read([UInt8](repeating: 0, count: length), size) == nil) }
  }
}
