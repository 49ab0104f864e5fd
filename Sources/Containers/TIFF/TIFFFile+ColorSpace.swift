extension TIFFFile {
  /// Whether the picture that the Exif directory `exif` describes is in Adobe RGB; nil where it
  /// does not say. ColorSpace of Exif 2.32, and DCF 2.0's index of interoperability, which counts
  /// more.
  package func isAdobeRGB(_ exif: TIFFDirectory?) -> Bool? {
    if let offset = exif?[0xA005]?.integer, let index = directory(at: offset)?[1]?.text {
      if index.hasPrefix("R03") { return true }
      if index.hasPrefix("R98") { return false }
    }
    return switch exif?[0xA001]?.integer {
    case 1: false
    // Not in the standard, but written.
    case 2: true
    default: nil
    }
  }
}
