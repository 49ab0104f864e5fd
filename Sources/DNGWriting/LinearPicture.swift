import ImageCore
package import RawDecode

/// What takes the place of the stored samples of a raw: three values a pixel that were interpolated
/// from its mosaic, which a DNG holds as LinearRaw (DNG 1.7.1, chapter 2), or samples that were
/// merged of several raws and lie as the raw's own.
///
/// Values are the camera's, without white balance, of the whole area that is exposed to light.
/// Opcode list 1, black and linearization are part of them; of interpolated ones list 2, too.
package struct LinearPicture: Sendable {
  /// How the values were made.
  package enum Kind: Sendable {
    /// Demosaiced; opcode list 3 stays to be applied.
    case demosaiced
    /// Demosaiced, and noise and lens are corrected, too.
    case corrected
    /// Merged, and not demosaiced; opcode lists 2 and 3 stay to be applied.
    case merged
  }

  /// The raw's description, with size and layout of this picture.
  package let info: RawInfo
  package let data: SensorData
  /// Whether floats are halves.
  package let isHalf: Bool
  package let kind: Kind

  package init(info: RawInfo, data: SensorData, isHalf: Bool, kind: Kind) {
    (self.info, self.data) = (info, data)
    (self.isHalf, self.kind) = (isHalf, kind)
  }

  /// Merged samples with their description, which counts from their corner.
  package init(merged data: SensorData, info: RawInfo, isHalf: Bool) {
    var info = info
    (info.storedSize, info.activeArea) = (data.size, PixelRect(data.size))
    self.init(info: info, data: data, isHalf: isHalf, kind: .merged)
  }
}
