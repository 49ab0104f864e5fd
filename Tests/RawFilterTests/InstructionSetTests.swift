import CKernels
import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawFilter

/// Kernels compiled for several sets of instructions: every set gives the same bits.
@Suite(.serialized) struct InstructionSetTests {
  /// The bits of the picture that `filter` makes with no instructions above `highest`.
  private static func bits(_ filter: RAWFilter, _ highest: ck_instructions) throws -> [UInt32] {
    ck_limit(highest)
    defer { ck_limit(CK_AVX2) }
    return try RAWFilterDetailTests.pixels(filter).flatMap {
      [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern]
    }
  }

  @Test("The best set of this CPU is the default, and can be limited")
  func choice() {
    let best = ck_chosen()
    ck_limit(CK_BASELINE)
    #expect(ck_chosen() == CK_BASELINE)
    ck_limit(CK_AVX2)
    #expect(ck_chosen() == best)
  }

  @Test("Every stage on, by each demosaic method", arguments: DemosaicMethod.allCases)
  func sameBits(method: DemosaicMethod) throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file())
    for name in RAWFilterDetailTests.amounts {
      filter[keyPath: try RAWFilterDetailTests.path(name)] = 0.7
    }
    filter.demosaicMethod = method
    #expect(try Self.bits(filter, CK_BASELINE) == Self.bits(filter, CK_AVX2))
  }

  @Test("The tone curve, for SDR, HDR and the highlights between", arguments: [Float(0), 0.5, 1])
  func sameTones(amount: Float) throws {
    var filter = try RAWFilterDetailTests.neutral(RAWFilterDetailTests.file(shotNoise: 0.02))
    filter.extendedDynamicRangeAmount = amount
    filter.exposure = 1.5
    #expect(try Self.bits(filter, CK_BASELINE) == Self.bits(filter, CK_AVX2))
  }
}
