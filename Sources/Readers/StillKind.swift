package import Containers

/// The formats of picture files.
public enum StillKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// HEIF with HEVC (HEIC, HIF).
  case heif
  /// AVIF.
  case avif
  /// JPEG, with or without a gain map.
  case jpeg
  /// PNG.
  case png
  /// TIFF.
  case tiff
  /// JPEG XL, bare or in its container.
  case jpegXL = "jpeg-xl"
  /// OpenEXR.
  case exr
  /// Radiance (`.hdr`).
  case radiance
  /// WebP.
  case webP = "webp"
  /// An array of NumPy.
  case npy

  /// The format by the first bytes of `file`; nil for any other. Camera raws based on TIFF are
  /// `tiff` here.
  package init?(_ file: FileBytes) {
    guard let kind = PictureSignature(file).flatMap({ StillKind(rawValue: $0.rawValue) }) else {
      return nil
    }
    self = kind
  }
}
