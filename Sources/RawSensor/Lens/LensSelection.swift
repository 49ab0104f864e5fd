package import ImageCore
package import RawData

/// What corrects the lens of a picture.
package struct LensSelection: Sendable, Hashable {
  /// Which of the file's own opcodes are applied.
  package var opcodes: OpcodeSelection
  /// What takes their place where the file has none for the lens.
  package var profile: LensProfile?
  /// The picture proper, in whose middle the lens's axis is; nil for the file's own.
  package var crop: PixelRect?
  /// How much of these is done.
  package var strengths = LensStrengths()
  /// What was found in the picture and neither of them corrects.
  package var lateral: LateralColor?

  package init(opcodes: OpcodeSelection = OpcodeSelection(), profile: LensProfile? = nil) {
    self.opcodes = opcodes
    self.profile = profile
  }
}
