import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@Suite struct ColorSpaceTests {
  /// In recipes, on the command line, and in the journals of batches.
  @Test func namesAreThoseOfRecipes() throws {
    #expect(
      ColorSpace.allCases.map(\.rawValue) == [
        "display-p3", "srgb", "adobe-rgb", "prophoto-rgb", "bt2020", "linear-bt2020", "linear-p3",
        "linear-srgb", "aces2065-1", "acescg", "camera", "bt2100-pq", "bt2100-hlg",
      ])
    for space in ColorSpace.allCases {
      #expect(ColorSpace(rawValue: space.rawValue) == space)
      let coded = try JSONEncoder().encode([space])
      #expect(String(decoding: coded, as: UTF8.self) == "[\"\(space.rawValue)\"]")
      #expect(try JSONDecoder().decode([ColorSpace].self, from: coded) == [space])
    }
    #expect(ColorSpace(rawValue: "displayP3") == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ColorSpace].self, from: Data("[\"displayP3\"]".utf8))
    }
  }

  /// A space is its primaries and its curve, whichever way it is made.
  @Test func spacesArePrimariesAndCurves() {
    for primaries in Primaries.allCases {
      let linear = ColorSpace(linear: primaries)
      #expect(linear == ColorSpace(primaries, .linear) && linear.isLinear && !linear.isHDR)
      #expect(linear.primaries == primaries && linear.codePoints.transfer == 8)
      let retained = ColorSpace(keeping: primaries)
      #expect(retained == nil || retained?.primaries == primaries && retained?.isLinear == false)
    }
    #expect(ColorSpace(keeping: .bt2020) == .bt2020 && ColorSpace(keeping: .acesAP0) == nil)
    #expect(ColorSpace(keeping: DynamicRangeMix.hlg) == .bt2100HLG)
    #expect(ColorSpace(keeping: DynamicRangeMix.sdr) == nil)
    #expect(ColorSpace(.pq) == .bt2100PQ && ColorSpace(.standard, standard: .sRGB) == .sRGB)
    let described = ColorSpace.described
    #expect(Set(described).count == described.count)
    #expect(Set(described.map(\.name)).count == described.count)
    #expect(ColorSpace.linearDisplayP3.name == "Linear Display P3")
    #expect(ColorSpace(linear: .adobeRGB).name == "Linear Adobe RGB (1998)")
    #expect(ColorSpace.acesCG.name == "ACEScg" && ColorSpace.camera.name == "Camera RGB")
  }
}
