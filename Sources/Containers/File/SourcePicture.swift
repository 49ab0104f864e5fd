package import ImageCore

/// The picture that a file was made of, as files name it.
package struct SourcePicture: Sendable, Hashable {
  /// The ID of its document, or the digest of its file.
  package var document: String
  /// ``ImageCore/CaptureMetadata/capture``.
  package var capture: String?

  /// A picture with this document.
  package init(document: String, capture: String?) {
    (self.document, self.capture) = (document, capture)
  }

  /// Whether it is the same picture. A sidecar gives it another document, and a changed title gives
  /// its file another digest; capture time and camera stay.
  package func isSame(as other: SourcePicture) -> Bool {
    document == other.document || capture != nil && capture == other.capture
  }
}

extension CaptureMetadata {
  /// Time and camera of the capture: DateTimeOriginal and its fraction of a second, model and
  /// serial number; nil without that time.
  package var capture: String? {
    let texts = [
      self[.exif, 0x9003], self[.exif, 0x9291], self[.image, 0x0110], self[.exif, 0xA431],
    ].map { value in
      if case .ascii(let text)? = value { text } else { "" }
    }
    return texts[0].isEmpty ? nil : texts.joined(separator: "|")
  }
}
