package import Containers

/// A profile gain table map with its tag: ProfileGainTableMap (52525) of the raw picture or
/// ProfileGainTableMap2 (52544) of IFD 0.
package struct StoredGainTableMap: Sendable {
  /// 1 or 2, by the tag.
  package let version: Int
  package let map: GainTableMap
  /// The tag as stored, in the file's byte order.
  package let entry: TIFFEntry
  /// Byte order of the stored values.
  package var bigEndian: Bool { entry.bigEndian }

  /// Nil if the tag is damaged.
  init?(_ entry: TIFFEntry) {
    version = entry.tag == DNGTag.profileGainTableMap2 ? 2 : 1
    guard let map = try? GainTableMap(entry, isSecond: version == 2) else { return nil }
    self.map = map
    self.entry = entry
  }
}
