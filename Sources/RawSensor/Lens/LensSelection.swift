package import ImageCore
package import RawData

/// The lens corrections of a picture.
package struct LensSelection: Sendable, Hashable {
  /// Which of the file's own opcodes are applied.
  package var opcodes: OpcodeSelection
  /// The profile used if the file has no opcodes for the lens.
  package var profile: LensProfile?
  /// The image area whose center is on the lens's axis; nil for the file's own.
  package var crop: PixelRect?
  /// Strengths of these corrections.
  package var strengths = LensStrengths()
  /// Lateral color measured in the picture that neither of them corrects.
  package var lateral: LateralColor?

  package init(opcodes: OpcodeSelection = OpcodeSelection(), profile: LensProfile? = nil) {
    self.opcodes = opcodes
    self.profile = profile
  }
}
