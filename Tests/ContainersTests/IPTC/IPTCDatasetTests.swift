import Testing

@testable import Containers

@Suite struct IPTCDatasetTests {
  @Test(arguments: [0, 1, 0x7FFF, 0x8000, 70_000]) func comeBack(count: Int) {
    let all = [
      IPTCDataset(1, 90, [0x1B, 0x25, 0x47]),
      IPTCDataset(2, 202, [UInt8](repeating: 7, count: count)), IPTCDataset(2, 25, [65]),
    ]
    #expect(IPTCDataset.all(in: all.flatMap(\.bytes)) == all)
    let resources = PhotoshopResources.bytes(iptc: all.flatMap(\.bytes))
    #expect(resources.count % 2 == 0)
    #expect(PhotoshopResources.iptc(in: resources) == all.flatMap(\.bytes))
  }

  @Test func damageEndsThem() {
    let bytes = IPTCDataset(2, 5, Array("title".utf8)).bytes
    for count in 0..<bytes.count {
      #expect(IPTCDataset.all(in: Array(bytes.prefix(count))).isEmpty)
    }
    #expect(IPTCDataset.all(in: bytes + [0x1C, 2, 5, 0x80, 8] + bytes).count == 1)
    #expect(PhotoshopResources.iptc(in: Array("8BIM".utf8) + [4, 4, 0]) == nil)
  }

  @Test func otherResourcesArePassedOver() {
    let own = PhotoshopResources.bytes(iptc: [1, 2, 3])
    // Another number, and the number of another program.
    for (mark, number) in [("8BIM", [3, 0xED]), ("MeSa", [4, 4])] as [(String, [UInt8])] {
      let other = Array(mark.utf8) + number + [3, 97, 98, 99, 0, 0, 0, 3, 1, 2, 3, 0]
      #expect(PhotoshopResources.iptc(in: other + own) == [1, 2, 3])
      #expect(PhotoshopResources.iptc(in: other) == nil)
    }
  }
}
