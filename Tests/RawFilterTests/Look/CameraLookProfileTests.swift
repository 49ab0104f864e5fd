import Foundation
import HDRRender
import ImageCore
import Testing

@testable import RawDecode
@testable import RawFilter

/// Looks as tables of camera profiles.
@Suite struct CameraLookProfileTests {
  /// A look that changes tone, hue and saturation, and none.
  private static let looks: [CameraLook] = {
    var look = CameraLook()
    for i in look.tone.indices { look.tone[i] = Double(i * (9 - i)) / 16_384 * 20 }
    for i in 0..<CameraLook.nodes {
      look.stretch[i] = Double(i % 13 - 6) / 16_384 * 200
      look.turn[i] = Double(5 - i % 11) / 16_384 * 200
    }
    return [CameraLook(), look]
  }()

  /// Colors of surfaces in linear BT.2020, from dark to bright.
  private static let colors = (0..<1000).map { index in
    let luminance = exp2(Double(index % 10) / 2 - 4)
    let angle = Double(index / 10 % 10) * .pi / 5
    let chroma = Double(index / 100) * 0.012
    return Oklab.rgb(SIMD3(cbrt(luminance), chroma * cos(angle), chroma * sin(angle)))
  }

  private static func rendered(
    _ colors: [SIMD3<Double>], _ tone: ProfileTone?, _ look: DisplayLook = DisplayLook()
  ) throws -> [SIMD3<Double>] {
    let buffer = try PlanarBuffer(size: PixelSize(width: colors.count, height: 1))
    for (x, color) in colors.enumerated() {
      for channel in 0..<3 { buffer.row(channel, 0)[x] = Float(color[channel]) }
    }
    HDRRenderer(
      RenderSettings(isGamutMappingEnabled: false, primaries: .bt2020), scenePeak: 4,
      profile: tone, look: look
    ).render(buffer)
    return colors.indices.map { x in
      SIMD3(Double(buffer.row(0, 0)[x]), Double(buffer.row(1, 0)[x]), Double(buffer.row(2, 0)[x]))
    }
  }

  /// Rendered by our own stages for camera profiles, colors of surfaces match the look.
  @Test(arguments: looks) func profilesRenderAsTheirLook(look: CameraLook) throws {
    let profile = try #require(try CameraLookProfile(look))
    var display = DisplayLook()
    display.start = try DisplayLook.Lookup(#require(look.table()), space: .displayP3, amount: 1)
    let expected = try Self.rendered(Self.colors, nil, display)
    let table = try #require(
      HueSatTable(
        hues: CameraLookProfile.hues, saturations: CameraLookProfile.saturations,
        values: CameraLookProfile.values, isEncoded: true, entries: profile.lookTable))
    let mapping = try #require(HueSatMapping(table, isHighRange: false))
    let buffer = try PlanarBuffer(size: PixelSize(width: Self.colors.count, height: 1))
    for (x, color) in Self.colors.enumerated() {
      let own = ProPhoto.fromBT2020 * color * exp2(CameraLookProfile.stops)
      for channel in 0..<3 { buffer.row(channel, 0)[x] = Float(own[channel]) }
    }
    mapping.apply(buffer.rows(0), scale: 1)
    let mapped = Self.colors.indices.map { x in
      ProPhoto.toBT2020
        * SIMD3(
          Double(buffer.row(0, 0)[x]), Double(buffer.row(1, 0)[x]), Double(buffer.row(2, 0)[x]))
    }
    let tone = ProfileTone(
      curve: try #require(ToneSpline(profile.toneCurve)), range: .standard)
    let shown = try Self.rendered(mapped, tone)
    let cells = zip(shown, expected).map { own, look in
      CameraLookFit.Cell(own: Oklab.lab(own), preview: Oklab.lab(look), weight: 1)
    }
    let difference = CameraLookStudy.differences(cells, CameraLook()).standard
    #expect(difference < 0.3, "\(difference)")
    #expect(Self.colors.count == 1000)
  }

  @Test func tablesAreThoseOfProfiles() throws {
    let profile = try #require(try CameraLookProfile(Self.looks[1]))
    let (hues, saturations) = (CameraLookProfile.hues, CameraLookProfile.saturations)
    #expect(profile.lookTable.count == hues * saturations * CameraLookProfile.values)
    // Grays keep their value, as DNG demands.
    for index in stride(from: 0, to: profile.lookTable.count, by: saturations) {
      #expect(profile.lookTable[index].z == 1)
    }
    #expect(profile.lookTable.allSatisfy { abs($0.x) <= 180 && $0.y >= 0 && $0.z >= 0 })
    #expect(profile.toneCurve.first == SIMD2(0, 0) && profile.toneCurve.last == SIMD2(1, 1))
    #expect(
      zip(profile.toneCurve, profile.toneCurve.dropFirst()).allSatisfy {
        $0.x < $1.x && $0.y < $1.y
      })
  }
}
