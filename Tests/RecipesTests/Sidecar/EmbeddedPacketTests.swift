import Containers
import Foundation
import TestSupport
import Testing

@testable import Recipes

/// Packets that Camera Raw wrote into real DNGs, beside the checkout in `../shared/raws`.
struct EmbeddedPacketTests {
  private func packet(_ name: String) throws -> XMPPacket {
    let data = try Data(
      contentsOf: SharedFiles.url("raws/\(name).dng"), options: .mappedIfSafe)
    let start = try #require(data.range(of: Data("<?xpacket begin".utf8)))
    let end = try #require(
      data.range(of: Data("<?xpacket end".utf8), in: start.lowerBound..<data.endIndex))
    return try XMPPacket(Array(data[start.lowerBound..<end.upperBound] + Data("='w'?>".utf8)))
  }

  private func settings(_ name: String) throws -> SidecarSettings {
    SidecarSettings(try packet(name), traits: RawTraits())
  }

  @Test func aPictureEditedInHighRange() throws {
    let settings = try settings("adobe_01_jxl_linear_raw_integer")
    let raw = settings.recipe["raw"]
    #expect(raw?["neutralTemperature"] == .number(6000))
    #expect(raw?["neutralTint"] == .number(10))
    // Not the +12 and -12 of its look's parameters, nor of the saved settings.
    #expect(raw?["exposure"] == .number(0.5))
    #expect(settings.recipe["render"]?["headroomLimit"] == .number(16))
    #expect(raw?["crop"] == "0%,0%,100%,93.49%")
    #expect(
      settings.ignored.contains { $0.field == "crs:Look" && $0.value == "Adobe Landscape HDR" })
  }

  @Test func aPictureWithRetouching() throws {
    let settings = try settings("adobe_02_jxl_linear_raw_float")
    #expect(settings.recipe["raw"]?["exposure"] == .number(1))
    #expect(settings.recipe["raw"]?["colorNoiseReductionAmount"] == .number(0))
    #expect(settings.recipe["raw"]?["isLensCorrectionEnabled"] == .bool(false))
    #expect(settings.ignored.contains { $0.field == "crs:RetouchAreas" })
  }

  @Test func aPictureAsShotOfTheProcessOf2010() throws {
    let settings = try settings("lgH815_lossy_1mp")
    #expect(settings.recipe["raw"]?["neutralTemperature"] == .null)
    #expect(settings.ignored.isEmpty)
  }
}
