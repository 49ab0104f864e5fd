import Testing

@testable import Readers

@Suite struct ColorDescriptionTests {
  @Test func predicatesFollowTheTransfer() throws {
    func color(_ p: UInt16, _ t: UInt16) throws -> ColorDescription {
      try #require(ColorDescription(primaries: p, transfer: t, matrix: 0))
    }
    let (pq, hlg, p3) = (try color(9, 16), try color(9, 18), try color(12, 13))
    #expect(pq.isPQ && !pq.isHLG && pq.isHighDynamicRange && pq.usesITU2100TransferFunction)
    #expect(hlg.isHLG && !hlg.isPQ && hlg.isHighDynamicRange && hlg.usesITU2100TransferFunction)
    #expect(!p3.isPQ && !p3.isHLG && !p3.isHighDynamicRange && !p3.usesITU2100TransferFunction)
    // Display P3 with PQ is HDR, and not ISO HDR.
    #expect(try color(12, 16).usesITU2100TransferFunction)
    let linear = try color(9, 8)
    #expect(p3.isExtendable && !pq.isExtendable && linear.isExtendable)
  }
}
