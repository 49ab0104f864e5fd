import ImageCore
import Recipes

@testable import Containers
@testable import Readers

/// What files say of themselves.
enum Metadata {
  static func xmp(_ bytes: [UInt8]) {
    _ = try? HDRGMValues(xmp: bytes)
    _ = AppleGainMap(xmp: bytes)
    if GainMapXMPRemoval.concerns(bytes) {
      _ = try? GainMapXMPRemoval(bytes).with(gainMapLength: 9)
    }
    _ = XMPWriter.adding([], to: bytes)
    guard let packet = try? XMPPacket(wellFormed: bytes) else {
      _ = AdobeSettings.read(XMPPacket(lenient: bytes))
      return
    }
    _ = (AdobeSettings.read(packet), DarktableSettings.read(packet))
  }

  static func iptc(_ bytes: [UInt8]) {
    _ = IPTCDataset.all(in: PhotoshopResources.iptc(in: bytes) ?? bytes)
  }

  static func icc(_ bytes: [UInt8]) {
    _ = ICCTagTable(bytes)
    _ = ICCReader.description(of: bytes)
  }

  static func isoGainMap(_ bytes: [UInt8]) { _ = try? GainMapMetadata(isoRecord: bytes) }

  static func appleNote(_ bytes: [UInt8]) {
    _ = AppleMakerNote(bytes)
    guard let note = MakerAppleNote(bytes) else { return }
    _ = note.withoutHeadroom()
  }
}
