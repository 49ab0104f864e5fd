package import Containers

/// A camera profile as a DNG stores it: the tags of the profile in IFD 0, or those of a further one
/// behind ExtraCameraProfiles (50933), a TIFF of its own with magic 0x4352 whose offsets start at
/// its header (DNG 1.7.1, chapter 6).
package struct StoredProfile: Sendable {
  /// All tags that a profile may have; also those of a profile that stands alone (.dcp).
  package static let tags: Set<UInt16> = [
    50708, 50721, 50722, 50725, 50726, 50778, 50779, 50932, 50936, 50937, 50938, 50939, 50940,
    50941, 50942, 50964, 50965, 50981, 50982, 51107, 51108, 51109, 51110, 52529, 52531, 52532,
    52533, 52534, 52535, 52537, 52538, 52543, 52544, 52551, 52552,
  ]
  /// More profiles than these in one file are none that anybody chooses from.
  package static let maxProfiles = RawDecodeLimits.profiles - 1

  /// Its tags.
  package let entries: [UInt16: TIFFEntry]

  package subscript(_ tag: UInt16) -> TIFFEntry? { entries[tag] }
  /// ProfileName; nil when not given.
  package var name: String? { entries[50936]?.name.flatMap { $0.isEmpty ? nil : $0 } }
  /// Whether it renders high dynamic range (ProfileDynamicRange).
  package var isHDR: Bool {
    guard let entry = entries[52551], entry.count >= 8 else { return false }
    return entry.file.integer(UInt16.self, at: entry.offset + 2, bigEndian: entry.bigEndian) == 1
  }

  /// The profiles of the DNG in `tiff` whose raw picture is in `raw`; that of IFD 0 first.
  static func all(in tiff: TIFFFile, raw: TIFFDirectory?, _ file: FileBytes) -> [StoredProfile] {
    var main = tiff.first.entries.filter { tags.contains($0.key) }
    // Writers differ in where they put these.
    for (tag, entry) in raw?.entries ?? [:] where tags.contains(tag) && main[tag] == nil {
      main[tag] = entry
    }
    var profiles: [StoredProfile] = []
    if main[50721] != nil || main[50936] != nil { profiles.append(StoredProfile(entries: main)) }
    let extra = tiff.first[50933].flatMap { $0.count <= maxProfiles ? $0.integers : nil } ?? []
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
