import Testing

@testable import HDRRender

@Suite struct DynamicRangeMixTests {
  static let all = DynamicRangeMix.Transfer.allCases.flatMap { transfer in
    DynamicRangeMix.Metadata.allCases.map { DynamicRangeMix(transfer, metadata: $0) }
  }

  @Test func thePublishedRules() {
    #expect(DynamicRangeMix.result(of: [.sdr, .hlg]) == .hlg)
    #expect(DynamicRangeMix.result(of: [.sdr, .pq]) == .pq)
    #expect(DynamicRangeMix.result(of: [.pq, .hlg]) == .hlg)
    #expect(DynamicRangeMix.result(of: [.pq, .hdr10]) == .hdr10)
    #expect(DynamicRangeMix.result(of: [.hdr10, .hlg]) == .hlg)
    #expect(DynamicRangeMix.result(of: [.sdr, .sdr]) == .sdr)
    #expect(DynamicRangeMix.result(of: []) == .sdr)
    #expect(DynamicRangeMix(.standard, metadata: .fixed) == .sdr)
  }

  @Test func orderAndGroupingDoNotMatter() {
    func fold(_ sources: DynamicRangeMix...) -> DynamicRangeMix {
      DynamicRangeMix.result(of: sources)
    }
    for a in Self.all {
      #expect(fold(a, a) == a && fold(a) == a)
      for b in Self.all {
        #expect(fold(a, b) == fold(b, a))
        for c in Self.all {
          #expect(fold(fold(a, b), c) == fold(a, fold(b, c)))
          #expect(fold(a, b, c) == fold(c, a, b))
        }
      }
    }
  }

  @Test func highRangeNeverBecomesStandard() {
    for a in Self.all {
      for b in Self.all where a.transfer != .standard {
        #expect(DynamicRangeMix.result(of: [a, b]).transfer != .standard)
      }
    }
  }
}
