import Foundation
import ImageCore
import Testing

@testable import Writers

struct YCbCrTests {
  @Test("Luma and color differences are those of H.273")
  func ycbcr() {
    let conversion = YCbCrConversion(matrix: .bt2020, bits: 10)
    var luma = [UInt16](repeating: 0, count: 32)
    let colors = [SIMD3<Float>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0.5, 0.5, 0.5)]
    let out = KernelRows.run(colors) { rows in
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
    #expect(conversion.codes(SIMD8(repeating: 1023.5))[0] == 1023)
    #expect(YCbCrConversion(matrix: .bt601, bits: 8).codes(SIMD8(repeating: 200.4))[0] == 200 << 8)
  }
}
