import Foundation
import ImageCore
import Recipes

@testable import Codecs
@testable import Containers
@testable import Readers

/// What files say of themselves.
enum Metadata {
  static func xmp(_ bytes: [UInt8]) {
    if let values = attempt({ try HDRGMValues(xmp: bytes) }), let values {
      attempt { try GainMapMetadata(values) }
    }
    _ = AppleGainMap(xmp: bytes)
    if GainMapXMPRemoval.concerns(bytes) {
      attempt { try GainMapXMPRemoval(bytes).with(gainMapLength: 9) }
    }
    _ = XMPWriter.adding([], to: bytes)
    _ = XMPSelection(bytes) {
      FinishedProperties.isWithoutLocations($0) || FinishedProperties.isOfPositions($0)
        || FinishedProperties.contains($0)
    }
    let md5 = XMPSourceReference.md5(in: bytes) ?? [UInt8](repeating: 0, count: 16)
    attempt { try XMPSourceReference(name: "a", md5: md5).added(to: bytes) }
    if let rated = attempt({ try XMPRating.set(-1, in: bytes) }) {
      attempt { try XMPRating.set(5, in: rated) }
    }
    guard let packet = attempt({ try XMPPacket(wellFormed: bytes) }) else {
      settings(XMPPacket(lenient: bytes))
      return
    }
    attempt { try GainMapMetadata(appleToneMap: packet) }
    settings(packet)
  }

  private static func settings(_ packet: XMPPacket) {
    _ = SidecarSettings(
      packet,
      traits: RawTraits(
        orientation: 6, storedAspect: 1.5, profileNames: ["Adobe Standard"],
        hasLensCorrections: true))
    _ = (AdobeSettings.read(packet), DarktableSettings.read(packet))
  }

  static func iptc(_ bytes: [UInt8]) {
    let datasets = PhotoshopResources.iptc(in: bytes) ?? bytes
    _ = IPTCDataset.all(in: datasets)
    var metadata = CaptureMetadata()
    metadata.iptc = datasets
    if let packet = metadata.withIPTCInXMP.xmp {
      _ = IPTCProperty.datasets(datasets, updatedBy: packet)
    }
  }

  static func icc(_ bytes: [UInt8]) {
    _ = ICCTagTable(bytes)
    _ = ICCReader.description(of: bytes)
    var notes: [String] = []
    _ = InkLookup.color(bytes, &notes)
    guard let profile = LCMSHandle(bytes) else { return }
    for intent in [LCMSTransform.Intent.relative, .perceptual, .saturation, .absolute] {
      _ = LCMSTransform(from: .bt2020, to: profile, intent)
    }
  }

  /// A record, or the parameters as JSON, which begins with a brace.
  static func isoGainMap(_ bytes: [UInt8]) {
    let read = attempt { try JSONDecoder().decode(GainMapParameters.self, from: Data(bytes)) }
    if let read { attempt { try JSONEncoder().encode(read) } }
    if let metadata = attempt({ try GainMapMetadata(isoRecord: bytes) }) {
      _ = (metadata.isoRecord, HDRGMValues(metadata).xmpDescription)
    }
  }

  static func appleNote(_ bytes: [UInt8]) {
    if let note = AppleMakerNote(bytes), let above = note.number(33), let gain = note.number(48) {
      _ = AppleGainMap.MakerValues(headroom33: above, gain48: gain).headroom
    }
    guard let note = MakerAppleNote(bytes) else { return }
    _ = (note.withoutHeadroom(), note.with(AppleGainMap.MakerValues(headroom: 4)))
  }
}
