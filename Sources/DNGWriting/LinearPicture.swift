package import RawDecode

/// A raw with three values a pixel, which were interpolated from its mosaic: what a DNG holds as
/// LinearRaw in place of the stored samples (DNG 1.7.1, chapter 2).
///
/// Values are the camera's, without white balance, of the whole area that is exposed to light.
/// Opcode lists 1 and 2, black and linearization are part of them.
package struct LinearPicture: Sendable {
  /// The raw's description, with size and layout of this picture.
  package let info: RawInfo
  package let data: SensorData
  /// Whether floats are halves.
  package let isHalf: Bool
  /// Whether noise and lens are corrected in it, too; else opcode list 3 stays to be applied.
  package let isCorrected: Bool

  package init(info: RawInfo, data: SensorData, isHalf: Bool, isCorrected: Bool) {
    (self.info, self.data) = (info, data)
    (self.isHalf, self.isCorrected) = (isHalf, isCorrected)
  }
}
