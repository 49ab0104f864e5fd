import Foundation
import ImageCore
import Testing

@testable import Writers

struct YCbCrTests {
  /// The code value of one sample.
  private static func code(_ value: Float, _ conversion: YCbCrConversion) -> UInt16 {
    var (values, codes) = ([Float](repeating: value, count: 8), [UInt16](repeating: 0, count: 8))
    values.withUnsafeMutableBufferPointer { values in
      codes.withUnsafeMutableBufferPointer { codes in
        guard let from = values.baseAddress, let out = codes.baseAddress else { return }
        conversion.codes(
          MutableRowView(from, count: 8, before: 0, behind: 0), count: 8,
          into: CodeRowView(out, count: 8, before: 0, behind: 0))
      }
    }
    return codes[0]
  }

  @Test("Luma and color differences follow H.273")
  func ycbcr() throws {
    let conversion = YCbCrConversion(matrix: .bt2020, bits: 10)
    var luma = [UInt16](repeating: 0, count: 32)
    let colors = [SIMD3<Float>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0.5, 0.5, 0.5)]
    let out = try KernelRows.run(colors) { rows in
      luma.withUnsafeMutableBufferPointer { codes in
        conversion.convert(
          rows, luma: codes.baseAddress.map { CodeRowView($0, count: 32, before: 0, behind: 0) })
      }
    }
    // 1023 × 0.2627, 0.6780, 0.0593; 511.5 = 1023 / 2.
    #expect(Array(luma[0..<4]) == [269, 694, 61, 512])
    #expect(abs(out[0].z - (512 + 511.5)) < 0.01)
    #expect(abs(out[2].y - (512 + 511.5)) < 0.01)
    #expect(abs(out[3].y - 512) < 0.001 && abs(out[3].z - 512) < 0.001)
    #expect(Self.code(1023.5, conversion) == 1023)
    #expect(Self.code(200.4, YCbCrConversion(matrix: .bt601, bits: 8)) == 200 << 8)
  }
}
