import Codecs
import Containers
import Foundation
import ImageCore

/// The color encoding of a preview: the linear value of each code value, and the primaries.
///
/// Taken from, in this order: the ICC profile in the JPEG, if it has curves and primaries; Exif in
/// the JPEG; PreviewColorSpace of a DNG; Exif and the maker note of the raw (``CameraRendering``);
/// the name of the raw, which starts with `_` for Adobe RGB (DCF 2.0, 3.2.3). Otherwise sRGB. Known
/// failure: profiles with tables only are treated as sRGB.
package struct PreviewColors: Sendable, Hashable {
  /// Linear values of code values 0…255 of red, green and blue.
  private let curves: [[Double]]
  /// Linear values to sRGB primaries.
  private let toSRGB: Matrix3

  package static let srgb = PreviewColors(.srgb) { SRGB.linear(signal: $0) }
  package static let adobeRGB = PreviewColors(.adobeRGB) { pow($0, AdobeRGB.exponent) }

  private init(_ primaries: Primaries, curve: (Double) -> Double) {
    curves = [[Double]](repeating: (0..<256).map { curve(Double($0) / 255) }, count: 3)
    toSRGB = primaries == .srgb ? .identity : primaries.conversion(to: .srgb)
  }

  /// Reads an ICC profile; nil for one without curves and primaries.
  private init?(profile: [UInt8]) {
    guard let handle = LCMSHandle(profile), handle.model == .rgb,
      let colorants = handle.colorants, let curves = handle.curves(samples: 256)
    else { return nil }
    self.curves = curves.map { $0.map(Double.init) }
    toSRGB =
      Primaries.srgb.fromXYZ * ChromaticAdaptation.bradford(from: .d50, to: .d65) * colorants
  }

  init(_ preview: EmbeddedPreview, of file: RawFile) {
    if let bytes = try? FileBytes(preview.jpeg), let profile = JPEGSegments(bytes)?.profile,
      let own = PreviewColors(profile: profile)
    {
      self = own
      return
    }
    let own = preview.exif.flatMap { exif, _ in
      CameraRendering(
        exif: exif.directory(.exif), make: exif.first[TIFFTag.make]?.text, exif
      ).isAdobeRGB
    }
    let stated = own ?? preview.isAdobeRGB ?? file.cameraRendering.isAdobeRGB
    self = stated ?? Self.isNamedAsAdobeRGB(file.bytes.path) ? .adobeRGB : .srgb
  }

  /// Whether this is a DCF name, of eight letters and digits, that starts with `_`.
  private static func isNamedAsAdobeRGB(_ path: String?) -> Bool {
    guard let path else { return false }
    let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
    func isFree(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
    let bytes = Array(name.utf8)
    return bytes.count == 8 && bytes[0] == 0x5F && bytes[1..<4].allSatisfy(isFree)
      && bytes[4...].allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The linear value, with sRGB primaries, of the pixel whose samples start at `index` of `rgb`.
  /// Colors outside the gamut have negative values.
  package func linear(_ rgb: [UInt8], at index: Int) -> SIMD3<Double> {
    toSRGB
      * SIMD3(
        curves[0][Int(rgb[index])], curves[1][Int(rgb[index + 1])], curves[2][Int(rgb[index + 2])])
  }
}

extension RawFile {
  /// The color encoding of `preview`, a preview of this file.
  package func colors(of preview: EmbeddedPreview) -> PreviewColors {
    PreviewColors(preview, of: self)
  }
}
