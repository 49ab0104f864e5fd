import Containers
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Writers

struct HEIFPropertyTests {
  private func hex(_ property: HEIFProperty) -> String {
    property.box.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("The boxes have the bytes of ISO/IEC 14496-12 and 23008-12")
  func bytes() throws {
    #expect(hex(.codePoints(.init(.bt2020, .pq))) == "00000013636f6c726e636c780009001000098" + "0")
    #expect(hex(.codePoints(.init(.bt2020, .hlg))) == "00000013636f6c726e636c780009001200098" + "0")
    #expect(
      hex(.light(HDRMetadata(ContentLightStatistics(), peakNits: 1000))[1])
        == "000000206d64637621349baa199608fc8a4839083d1340420098968000000005")
    let bright = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for plane in 0..<3 { bright.row(plane, 0)[0] = ReferenceWhite.hlgHeadroom }
    var statistics = ContentLightStatistics()
    statistics.add(bright)
    #expect(hex(.contentLight(HDRMetadata.ContentLight(statistics))) == "0000000c636c6c6903e803e8")
    #expect(
      hex(.size(PixelSize(width: 258, height: 3))) == "00000014697370650000000000000102"
        + "00000003")
    #expect(hex(.depth(10)) == "0000001070697869" + "00000000" + "030a0a0a")
  }

  @Test("Boxes of HDR metadata have the bytes of their standards")
  func hdrMetadata() {
    var metadata = HDRMetadata()
    metadata.contentLight = .init(maximumNits: 1000, averageNits: 203)
    metadata.ambient = .init(lux: 10, color: .d65)
    metadata.diffuseWhiteNits = 203
    metadata.contentVolume = .init(
      primaries: [.init(x: 0.708, y: 0.292), .init(x: 0.17, y: 0.797), .init(x: 0.131, y: 0.046)],
      minimumNits: 0.01, maximumNits: 1000, averageNits: 100)
    #expect(
      HEIFProperty.light(metadata).map(hex) == [
        "0000000c636c6c6903e800cb",
        "0000002963636c7634" + "00002134" + "00009baa" + "00001996" + "000008fc" + "00008a48"
          + "00003908" + "000186a0" + "3b9aca00",
        "00000010616d7665000186a03d134042", "000000106e64777400000000001ef9b0",
      ])
    #expect(HEIFProperty.light(metadata).allSatisfy { !$0.isEssential })
    #expect(HEIFProperty.light(HDRMetadata()).isEmpty)
  }

  @Test("Numbers outside the range of a box are clamped")
  func hostileMetadata() {
    var metadata = HDRMetadata()
    metadata.contentLight = .init(maximumNits: .infinity, averageNits: -5)
    metadata.ambient = .init(lux: .nan, color: .init(x: 1e300, y: -1))
    #expect(
      HEIFProperty.light(metadata).map(hex) == [
        "0000000c636c6c69ffff0000", "00000010616d766500000000ffff0000",
      ])
  }

  @Test("The boxes of gain maps have the bytes of files of phones")
  func gainMap() {
    #expect(
      hex(.auxiliary(HEIFProperty.appleGainMap)) == "0000003461757843" + "00000000"
        + "75726e3a636f6d3a6170706c653a70686f746f3a323032303a6175783a6864726761696e6d617000")
    #expect(HEIFProperty.auxiliary("a").isEssential)
    #expect(hex(.depth(8, channels: 1)) == "0000000e7069786900000000" + "0108")
    #expect(hex(.codePoints(.init(gainMapChannels: 1))) == "00000013636f6c726e636c7800020002000280")
    #expect(hex(.profile([1, 2])) == "0000000e636f6c7270726f660102")
    #expect(
      hex(.codePoints(.init(.displayP3, .pq)))
        == "00000013636f6c726e636c78000c0010000680")
  }

  @Test("Every property is read as it was written")
  func reading() throws {
    var metadata = HDRMetadata()
    metadata.contentLight = .init(maximumNits: 1000, averageNits: 203)
    metadata.masteringDisplay = .bt2020(peakNits: 1000)
    metadata.contentVolume = .init(minimumNits: 0.01, maximumNits: 100, averageNits: 10)
    metadata.ambient = .init(lux: 10, color: .d65)
    metadata.diffuseWhiteNits = 203
    let properties: [HEIFProperty] =
      HEIFProperty.light(metadata) + [
        .size(PixelSize(width: 70_000, height: 3)), .codePoints(.init(.bt2020, .pq)),
        .profile([1, 2, 3]),
        .transform(.turn(3)), .transform(.mirror(leftToRight: true)),
        .transform(.crop([7, 1, 5, 1, -3, 2, 1, 2])), .auxiliary("urn:a"),
        .configuration([1, 2], .hevc), .configuration([3], .av1), .other(type: "pasp", [0, 1]),
      ]
    for property in properties {
      var cursor = ByteCursor(property.box)
      let box = try #require(try cursor.box())
      let read = try HEIFProperty(box)
      // Steps of 0.00002 of chromaticities are not exact.
      #expect(read?.box == property.box && cursor.isEmpty)
      switch property {
      case .masteringDisplay, .ambient: break
      default: #expect(read == property)
      }
    }
  }
}
