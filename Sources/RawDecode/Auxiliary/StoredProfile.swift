package import Containers

/// A camera profile as stored in a DNG: the profile tags of IFD 0, or an entry of
/// ExtraCameraProfiles (50933), a separate TIFF structure with magic 0x4352 and offsets from its
/// header (DNG 1.7.1, chapter 6).
package struct StoredProfile: Sendable {
  /// All tags of a profile, also of a standalone profile (.dcp).
  package static let tags: Set<UInt16> = [
    DNGTag.uniqueCameraModel, DNGTag.colorMatrix1, DNGTag.colorMatrix2, DNGTag.reductionMatrix1,
    DNGTag.reductionMatrix2, DNGTag.calibrationIlluminant1, DNGTag.calibrationIlluminant2,
    DNGTag.profileCalibrationSignature, DNGTag.profileName, DNGTag.profileHueSatMapDims,
    DNGTag.profileHueSatMapData1, DNGTag.profileHueSatMapData2, DNGTag.profileToneCurve,
    DNGTag.profileEmbedPolicy, DNGTag.profileCopyright, DNGTag.forwardMatrix1,
    DNGTag.forwardMatrix2, DNGTag.profileLookTableDims, DNGTag.profileLookTableData,
    DNGTag.profileHueSatMapEncoding, DNGTag.profileLookTableEncoding,
    DNGTag.baselineExposureOffset, DNGTag.defaultBlackRender, DNGTag.calibrationIlluminant3,
    DNGTag.colorMatrix3, DNGTag.forwardMatrix3, DNGTag.illuminantData1, DNGTag.illuminantData2,
    DNGTag.illuminantData3, DNGTag.profileHueSatMapData3, DNGTag.reductionMatrix3,
    DNGTag.rgbTables, DNGTag.profileGainTableMap2, DNGTag.profileDynamicRange,
    DNGTag.profileGroupName,
  ]
  /// More profiles in one file are ignored.
  package static let maxProfiles = RawDecodeLimits.profiles - 1

  /// Its tags.
  package let entries: [UInt16: TIFFEntry]

  package subscript(_ tag: UInt16) -> TIFFEntry? { entries[tag] }
  /// ProfileName; nil when not given.
  package var name: String? { entries[DNGTag.profileName]?.name.flatMap { $0.isEmpty ? nil : $0 } }
  /// Whether it renders high dynamic range (ProfileDynamicRange).
  package var isHDR: Bool {
    guard let entry = entries[DNGTag.profileDynamicRange], entry.count >= 8 else { return false }
    return entry.file.integer(UInt16.self, at: entry.offset + 2, bigEndian: entry.bigEndian) == 1
  }

  /// The profiles of the DNG in `tiff` with the raw picture in `raw`; the one in IFD 0 first.
  static func all(in tiff: TIFFFile, raw: TIFFDirectory?, _ file: FileBytes) -> [StoredProfile] {
    var main = tiff.first.entries.filter { tags.contains($0.key) }
    // Some writers store these in the raw directory.
    for (tag, entry) in raw?.entries ?? [:] where tags.contains(tag) && main[tag] == nil {
      main[tag] = entry
    }
    var profiles: [StoredProfile] = []
    if main[DNGTag.colorMatrix1] != nil || main[DNGTag.profileName] != nil {
      profiles.append(StoredProfile(entries: main))
    }
    let extra =
      tiff.first[DNGTag.extraCameraProfiles].flatMap { $0.count <= maxProfiles ? $0.integers : nil }
      ?? []
    for offset in extra {
      guard let profile = try? TIFFFile(file, base: offset, magics: TIFFFile.profileMagics) else {
        continue
      }
      profiles.append(
        StoredProfile(entries: profile.first.entries.filter { tags.contains($0.key) }))
    }
    return profiles
  }
}
