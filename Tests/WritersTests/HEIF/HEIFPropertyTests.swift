import Foundation
import ImageCore
import Testing

@testable import Writers

struct HEIFPropertyTests {
  private func hex(_ property: HEIFProperty) -> String {
    property.box.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("The boxes have the bytes of ISO/IEC 14496-12 and 23008-12")
  func bytes() {
    #expect(hex(.color(.pq)) == "00000013636f6c726e636c780009001000098" + "0")
    #expect(hex(.color(.hlg)) == "00000013636f6c726e636c780009001200098" + "0")
    #expect(
      hex(.masteringDisplay(peakNits: 1000))
        == "000000206d64637621349baa199608fc8a4839083d1340420098968000000005")
    let bright = PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for plane in 0..<3 { bright.row(plane, 0)[0] = ReferenceWhite.hlgHeadroom }
    var light = LightStatistics()
    light.add(bright)
    #expect(hex(.contentLight(light)) == "0000000c636c6c6903e803e8")
    #expect(
      hex(.size(PixelSize(width: 258, height: 3))) == "00000014697370650000000000000102"
        + "00000003")
    #expect(hex(.depth(10)) == "0000001070697869" + "00000000" + "030a0a0a")
  }
}
