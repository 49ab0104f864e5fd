/// The kinds of damage to a finished picture, and what each ``ReadPolicy`` does with them. Readers
/// use this table, and Docs/limits.md shows it.
///
/// Damage is refused under both policies where nothing could be shown or the decoder returns no
/// partial result. Damaged metadata and gain maps are left out under both, since the picture is
/// complete without them. Gain maps are never read in part.
package enum FileDamage: CaseIterable, Sendable {
  case header, tooShort, fileEnd
  case jpegData, pngData, pngChunk
  case heifTile, heifPicture, av1TileEnd, heifAlpha
  case jpegXLEnd, jpegXLData
  case tiffPart, tiffConverted, webPData, exrChunk, radianceLine, npyRow
  case gainMap, metadata

  /// What becomes of the picture.
  package enum Outcome: String, Sendable {
    case refused
    /// Rows before the damage are read, and the rows after it as the decoder returns them.
    case asFarAsItGoes = "read as far as it goes, with a note"
    /// Parts that cannot be decoded are 0: black, or bare paper for inks.
    case partsMissing = "read without what is damaged, with a note"
    /// It is read without that part, which holds no pixels.
    case leftOut = "left out, with a note"
    case unchecked = "not looked for"
  }

  /// A row of the table.
  package struct Rule: Sendable {
    /// Description of the damage.
    package let what: String
    package let show, whole: Outcome

    fileprivate init(_ what: String, show: Outcome, whole: Outcome) {
      (self.what, self.show, self.whole) = (what, show, whole)
    }
  }

  /// The row of this damage.
  package var rule: Rule {
    switch self {
    case .header:
      Rule("the header, without which size or codec are not known", show: .refused, whole: .refused)
    case .tooShort:
      Rule(
        "a file that is too short for its picture at the best compression of its kind",
        show: .refused, whole: .refused)
    case .fileEnd:
      Rule("the end of the file after the pixels", show: .leftOut, whole: .leftOut)
    case .jpegData:
      Rule(
        "JPEG: data that end early, or that the decoder reports as damaged", show: .asFarAsItGoes,
        whole: .refused)
    case .pngData:
      Rule(
        "PNG: pixels that end early, or have a wrong checksum", show: .asFarAsItGoes,
        whole: .refused)
    case .pngChunk:
      Rule("PNG: another chunk with a wrong checksum", show: .leftOut, whole: .leftOut)
    case .heifTile:
      Rule(
        "HEIF, AVIF: a tile of a grid that is missing or cannot be decoded", show: .partsMissing,
        whole: .refused)
    case .heifPicture:
      Rule(
        "HEIF, AVIF: a picture without a grid that is cut or cannot be decoded", show: .refused,
        whole: .refused)
    case .av1TileEnd:
      Rule(
        "AVIF: a tile of AV1 with a wrong end, which only a second decoder detects",
        show: .unchecked, whole: .refused)
    case .heifAlpha:
      Rule("HEIF, AVIF: the pixels of alpha", show: .leftOut, whole: .refused)
    case .jpegXLEnd:
      Rule(
        "JPEG XL: a picture that ends early, after its coarsest version", show: .asFarAsItGoes,
        whole: .refused)
    case .jpegXLData:
      Rule("JPEG XL: other damage to the pixels", show: .refused, whole: .refused)
    case .tiffPart:
      Rule("TIFF: a strip or tile", show: .partsMissing, whole: .refused)
    case .tiffConverted:
      Rule("TIFF: a strip or tile of YCbCr outside JPEG", show: .refused, whole: .refused)
    case .webPData:
      Rule(
        "WebP: data that end early or are damaged", show: .asFarAsItGoes, whole: .refused)
    case .exrChunk:
      Rule("OpenEXR: a chunk of lines, or a tile", show: .partsMissing, whole: .refused)
    case .radianceLine:
      Rule(
        "Radiance: a scan line that is missing or damaged", show: .asFarAsItGoes, whole: .refused)
    case .npyRow:
      Rule("NumPy: rows that are missing", show: .asFarAsItGoes, whole: .refused)
    case .gainMap:
      Rule("the parameters or pixels of a gain map", show: .leftOut, whole: .leftOut)
    case .metadata:
      Rule("Exif, XMP, IPTC, ICC profile", show: .leftOut, whole: .leftOut)
    }
  }
}
