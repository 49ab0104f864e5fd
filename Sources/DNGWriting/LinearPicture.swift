import ImageCore
package import RawDecode

/// Replaces the stored samples of a raw: three interpolated values per pixel, which a DNG stores as
/// LinearRaw (DNG 1.7.1, chapter 2), or samples merged from several raws in the layout of the raw.
///
/// Values are camera values, without white balance, of the full exposed area. Opcode list 1, black
/// and linearization have been applied; for interpolated values list 2, too.
package struct LinearPicture: Sendable {
  /// The processing of the values.
  package enum Kind: Sendable {
    /// Demosaiced; opcode list 3 remains to be applied.
    case demosaiced
    /// Demosaiced, with noise reduction and lens correction.
    case corrected
    /// Merged, and not demosaiced; opcode lists 2 and 3 remain to be applied.
    case merged
  }

  /// The raw's metadata, with size and layout of this picture.
  package let info: RawInfo
  package let data: SensorData
  /// Whether floats are stored as half floats.
  package let isHalf: Bool
  package let kind: Kind

  package init(info: RawInfo, data: SensorData, isHalf: Bool, kind: Kind) {
    (self.info, self.data) = (info, data)
    (self.isHalf, self.kind) = (isHalf, kind)
  }

  /// Merged samples with their metadata, relative to their corner.
  package init(merged data: SensorData, info: RawInfo, isHalf: Bool) {
    var info = info
    (info.storedSize, info.activeArea) = (data.size, PixelRect(data.size))
    self.init(info: info, data: data, isHalf: isHalf, kind: .merged)
  }
}
