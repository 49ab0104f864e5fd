import Codecs
import Containers
import Foundation
import ImageCore

/// What the samples of a preview mean: linear light of each code value, and the colors of its
/// primaries.
///
/// From, in this order: the ICC profile in the JPEG, where it has curves and primaries; Exif in the
/// JPEG; PreviewColorSpace of a DNG; Exif and the maker note of the raw (``CameraRendering``); the
/// name of the raw, which begins with `_` where the picture is in Adobe RGB (DCF 2.0, 3.2.3). Else
/// sRGB. Known failure: profiles that are tables alone, which are taken for sRGB.
package struct PreviewColors: Sendable, Hashable {
  /// Linear values of code values 0…255 of red, green and blue.
  private let curves: [[Double]]
  /// Linear values to those of sRGB's primaries.
  private let toSRGB: Matrix3

  package static let srgb = PreviewColors(.srgb) { SRGB.linear(signal: $0) }
  package static let adobeRGB = PreviewColors(.adobeRGB) { pow($0, AdobeRGB.exponent) }

  private init(_ primaries: Primaries, curve: (Double) -> Double) {
    curves = [[Double]](repeating: (0..<256).map { curve(Double($0) / 255) }, count: 3)
    toSRGB = primaries == .srgb ? .identity : primaries.conversion(to: .srgb)
  }

  /// What an ICC profile says; nil for one without curves and primaries.
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

  /// Whether this is a name of DCF, of eight letters and digits, that begins with `_`.
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

  /// The linear light of the pixel whose samples begin at `index` of `rgb`, by sRGB's primaries, of
  /// which colors outside of them have negative values.
  package func light(_ rgb: [UInt8], at index: Int) -> SIMD3<Double> {
    toSRGB
      * SIMD3(
        curves[0][Int(rgb[index])], curves[1][Int(rgb[index + 1])], curves[2][Int(rgb[index + 2])])
  }
}

extension RawFile {
  /// What the samples of `preview`, which is that of this file, mean.
  package func colors(of preview: EmbeddedPreview) -> PreviewColors {
    PreviewColors(preview, of: self)
  }
}
