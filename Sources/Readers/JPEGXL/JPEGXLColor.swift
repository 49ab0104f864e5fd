import Codecs
import ImageCore

/// The color encoding of a JPEG XL picture, and the one it is decoded to: its enumerated
/// encoding, else its ICC profile; a picture in XYB that has only a profile is decoded as linear
/// BT.2020.
struct JPEGXLColor: Sendable {
  var color = ColorDescription.assumed
  var target = JPEGXL.Target.original
  var hdrMetadata = HDRMetadata()
  var notes: [String] = []

  /// Default intensity target, cd/m², which declares nothing.
  private static let standardTarget = 255.0

  init(_ header: JPEGXLStillInfo) {
    if let encoding = header.encoding, let found = Self.color(encoding) {
      color = found
    } else if header.isXYB {
      target = .linearBT2020
      color = ColorDescription(
        primaries: .bt2020, transfer: .linear, origin: header.profile == nil ? .assumed : .profile,
        profile: header.profile,
        name: header.profile.flatMap(ICCReader.description)?.name ?? "linear BT.2020")
    } else if let found = header.profile.flatMap(ICCReader.description) {
      color = found
    } else {
      notes.append("its color encoding is not supported; sRGB is assumed")
    }
    let isDeclared =
      (0.0..<PQ.peakNits).contains(header.intensityTarget)
      && (color.origin != .profile || header.intensityTarget != Self.standardTarget)
    if color.transfer == .pq, header.intensityTarget > 0, isDeclared {
      hdrMetadata.contentLight = .init(maximumNits: header.intensityTarget, averageNits: 0)
      hdrMetadata.contentVolume = .init(
        minimumNits: header.minimumNits, maximumNits: header.intensityTarget)
    }
    if color.transfer == .linear, header.intensityTarget != Self.standardTarget {
      notes.append(
        "its 1.0 means \(header.intensityTarget) cd/m² and is read as reference white")
    }
  }

  private static func color(_ encoding: JPEGXLStillInfo.Encoding) -> ColorDescription? {
    let transfer: ColorDescription.Transfer
    if encoding.transfer == 65_535, (0.1...10).contains(encoding.gamma) {
      // Stored in steps of 1e-7.
      let exponent = 1 / encoding.gamma
      let round = (exponent * 100).rounded() / 100
      transfer = .gamma(abs(round - exponent) < 1e-4 ? round : exponent)
    } else if let known = ColorDescription.Transfer(codePoint: encoding.transfer) {
      transfer = known
    } else {
      return nil
    }
    // Gray has only a white point, which needs no conversion.
    let space =
      encoding.isGray
      ? (Primaries.srgb, Matrix3.identity)
      : ColorDescription.space(
        red: encoding.red, green: encoding.green, blue: encoding.blue, white: encoding.white)
    guard let space else { return nil }
    let (primaries, matrix) = space
    if matrix == .identity, encoding.transfer != 65_535, primaries.codePoint != 2 {
      return ColorDescription(
        primaries: primaries.codePoint, transfer: encoding.transfer, matrix: 0)
    }
    return ColorDescription(
      primaries: primaries, transfer: transfer, matrix: matrix, origin: .codePoints,
      name: "\(ColorDescription.name(of: space)), \(transfer.name)")
  }
}
