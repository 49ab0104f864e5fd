import Foundation
import Testing

@testable import Recipes

/// Packets that Camera Raw wrote into real DNGs, beside the checkout in `../shared/raws`.
struct EmbeddedPacketTests {
  private func packet(_ name: String) throws -> XMPPacket? {
    var root = URL(filePath: #filePath).resolvingSymlinksInPath()
    while root.path != "/",
      !FileManager.default.fileExists(atPath: root.appending(path: "shared/raws").path)
    {
      root.deleteLastPathComponent()
    }
    let file = root.appending(path: "shared/raws/\(name).dng")
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else {
      print("MISSING ../shared: raws/\(name).dng, its settings are not checked")
      return nil
    }
    let start = try #require(data.range(of: Data("<?xpacket begin".utf8)))
    let end = try #require(
      data.range(of: Data("<?xpacket end".utf8), in: start.lowerBound..<data.endIndex))
    return try XMPPacket(Array(data[start.lowerBound..<end.upperBound] + Data("='w'?>".utf8)))
  }

  private func settings(_ name: String) throws -> SidecarSettings? {
    try packet(name).map { SidecarSettings($0, facts: RawFacts()) }
  }

  @Test func aPictureEditedInHighRange() throws {
    guard let settings = try settings("adobe_01_jxl_linear_raw_integer") else { return }
    let raw = settings.recipe["raw"]
    #expect(raw?["neutralTemperature"] == .number(6000))
    #expect(raw?["neutralTint"] == .number(10))
    // Not the +12 and -12 of its look's parameters, nor those of the saved settings.
    #expect(raw?["exposure"] == .number(0.5))
    #expect(settings.recipe["render"]?["headroomLimit"] == .number(16))
    #expect(
      settings.recipe["render"]?["crop"]
        == .list([.number(0), .number(0), .number(1), .number(0.9349)]))
    #expect(
      settings.ignored.contains { $0.field == "crs:Look" && $0.value == "Adobe Landscape HDR" })
  }

  @Test func aPictureWithRetouching() throws {
    guard let settings = try settings("adobe_02_jxl_linear_raw_float") else { return }
    #expect(settings.recipe["raw"]?["exposure"] == .number(1))
    #expect(settings.recipe["raw"]?["colorNoiseReductionAmount"] == .number(0))
    #expect(settings.recipe["raw"]?["isLensCorrectionEnabled"] == .bool(false))
    #expect(settings.ignored.contains { $0.field == "crs:RetouchAreas" })
  }

  @Test func aPictureAsShotOfTheProcessOf2010() throws {
    guard let settings = try settings("lgH815_lossy_1mp") else { return }
    #expect(settings.recipe["raw"]?["neutralTemperature"] == .null)
    #expect(settings.ignored.map(\.field) == ["crs:Temperature", "crs:Tint"])
  }
}
