import Formats
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct FloatSamplesTests {
  /// The half that Swift makes of a value, NaN as 0 and none infinite.
  private func half(_ value: Float) -> UInt16 {
    let maximum = Float(Float16.greatestFiniteMagnitude)
    return Float16(value.isNaN ? 0 : min(max(value, -maximum), maximum)).bitPattern
  }

  private func stored(_ values: [Float], _ depth: FloatDepth) throws -> [UInt8] {
    let buffer = try PlanarBuffer(size: PixelSize(width: values.count, height: 1))
    for (x, value) in values.enumerated() { buffer.row(0, 0)[x] = value }
    let samples = FloatSamples(depth: depth)
    var out = [UInt8](repeating: 0x5A, count: values.count * samples.bytes + 8)
    out.withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { samples.store(buffer.row(0, 0), into: start) }
    }
    #expect(out.suffix(8).allSatisfy { $0 == 0x5A })
    return out.dropLast(8)
  }

  /// Every half comes back, and so do what lies between two of them and beyond the last.
  @Test func halvesAreTheNearest() throws {
    var values: [Float] = [
      .nan, .infinity, -.infinity, 65_519.99, 65_520, 1e30, -1e30, 1e-30, -0.0,
    ]
    for bits in UInt16(0)..<0x7C00 {
      let value = Float(Float16(bitPattern: bits))
      let next = Float(Float16(bitPattern: bits + 1))
      let between = next.isFinite ? (value + next) / 2 : value
      values += [value, -value, between, between.nextUp, between.nextDown, -between]
    }
    let wanted = values.flatMap { [UInt8(half($0) & 255), UInt8(half($0) >> 8)] }
    #expect(try stored(values, .half) == wanted)
  }

  @Test func floatsAreFinite() throws {
    let maximum = Float.greatestFiniteMagnitude
    let values: [Float] = [.nan, .infinity, -.infinity, 1.5, -0.25, 0, 0x1p-133, 3e38, 7]
    let wanted: [Float] = [0, maximum, -maximum, 1.5, -0.25, 0, 0x1p-133, 3e38, 7]
    let bytes = wanted.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
    #expect(try stored(values, .float) == bytes)
  }

  /// Interleaved samples equal the rows', with every instruction set.
  @Test(arguments: InstructionSets.widths, FloatDepth.allCases)
  func interleavedSamplesAreThose(width: Int, depth: FloatDepth) {
    let samples = FloatSamples(depth: depth)
    var made: [[UInt8]] = []
    _ = InstructionSets.rows(width) { rows in
      var planes = [UInt8](repeating: 0, count: 3 * width * samples.bytes)
      var pixels = planes
      planes.withUnsafeMutableBytes { out in
        guard let start = out.baseAddress else { return }
        for plane in 0..<3 {
          samples.store(rows[plane], into: start + plane * width * samples.bytes)
        }
      }
      pixels.withUnsafeMutableBytes { out in
        if let start = out.baseAddress { samples.interleave(rows, into: start) }
      }
      for x in 0..<width {
        for plane in 0..<3 {
          let (from, to) = ((plane * width + x) * samples.bytes, (3 * x + plane) * samples.bytes)
          let isSame = planes[from..<from + samples.bytes].elementsEqual(
            pixels[to..<to + samples.bytes])
          #expect(isSame)
        }
      }
      made.append(pixels)
    }
    #expect(made.count > 1 && made.allSatisfy { $0 == made[0] })
  }
}
