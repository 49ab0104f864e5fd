import Containers
import EXRCodec
import Foundation
import ImageCore

/// The color and capture attributes of an OpenEXR header, by OpenEXR's standard names
/// (`ImfStandardAttributes.h`, up to version 3.2) and units: seconds, meters, degrees north and
/// east. Unknown values are left out; so are the chromaticities of a camera's own channels, which
/// are undefined. Scene-linear pictures have the name of their space by the Color Interop Forum of
/// the ASWF (`colorInteropID`), and in AP0 where the rest of the file is as SMPTE ST 2065-4 asks
/// for the flag of an ACES container.
struct EXRAttributes {
  private(set) var values: [(name: String, value: EXREncoder.Attribute)] = []

  /// `isPlain`: half precision in scan lines, not compressed.
  init(_ metadata: CaptureMetadata, _ primaries: Primaries, isScene: Bool, isPlain: Bool) {
    if primaries != .camera {
      let (c, white) = (primaries.chromaticities, primaries.white)
      values.append(
        (
          "chromaticities",
          .chromaticities([c.red, c.green, c.blue, white].flatMap { [Float($0.x), Float($0.y)] })
        ))
      values.append(("adoptedNeutral", .point(Float(white.x), Float(white.y))))
    }
    if isScene {
      add("colorInteropID", Self.space(primaries))
      if isPlain, primaries == .acesAP0 {
        values.append(("acesImageContainerFlag", .integer(1)))
      }
    }
    add("whiteLuminance", ReferenceWhite.nits)
    add("software", RawdevVersion.software)
    add("owner", metadata.text(.image, 0x8298) ?? metadata.text(.image, 0x013B))
    add("comments", metadata.text(.image, 0x010E))
    add("cameraMake", metadata.make)
    add("cameraModel", metadata.model)
    add("cameraSerialNumber", metadata.text(.exif, 0xA431))
    add("lensMake", metadata.text(.exif, 0xA433))
    add("lensModel", metadata.lens)
    add("lensSerialNumber", metadata.text(.exif, 0xA435))
    add("nominalFocalLength", metadata.focalLength)
    add("expTime", metadata.exposureTime)
    add("aperture", metadata.fNumber)
    add("isoSpeed", metadata.isoSpeed.map(Double.init))
    add("focus", metadata.focusDistance)
    add("capDate", metadata.dateTimeOriginal)
    add("utcOffset", metadata.secondsToUTC)
    add("latitude", metadata.location?.latitude)
    add("longitude", metadata.location?.longitude)
    add("altitude", metadata.altitude)
    add("xmp", String(decoding: XMPWriter.packet(metadata, format: "image/x-exr"), as: UTF8.self))
  }

  /// nil for spaces that the forum has not named.
  private static func space(_ primaries: Primaries) -> String? {
    switch primaries {
    case .bt2020: "lin_rec2020_scene"
    case .displayP3: "lin_p3d65_scene"
    case .srgb: "lin_rec709_scene"
    case .adobeRGB: "lin_adobergb_scene"
    case .acesAP0: "lin_ap0_scene"
    case .acesAP1: "lin_ap1_scene"
    case .proPhoto, .camera: nil
    }
  }

  private mutating func add(_ name: String, _ number: Double?) {
    guard let number, number.isFinite else { return }
    values.append((name, .number(Float(number))))
  }

  private mutating func add(_ name: String, _ text: String?) {
    guard let text = text?.upToNUL, !text.isEmpty else { return }
    values.append((name, .text(text)))
  }
}

extension CaptureMetadata {
  fileprivate func text(_ directory: ExifEntry.Directory, _ tag: UInt16) -> String? {
    if case .ascii(let text)? = self[directory, tag], !text.isEmpty { text } else { nil }
  }

  /// Distance in meters (SubjectDistance); nil where it is unknown, 0, or infinite, all bits set.
  fileprivate var focusDistance: Double? {
    guard case .rationals(let values)? = self[.exif, 0x9206], let distance = values.first,
      distance.numerator != 0, distance.numerator != .max
    else { return nil }
    return distance.value
  }

  /// Seconds to add to the capture time to get UTC: the negated OffsetTimeOriginal, such as
  /// `+02:00`.
  fileprivate var secondsToUTC: Double? {
    guard let text = text(.exif, 0x9011), text.utf8.count <= 32, let sign = text.first,
      "+-".contains(sign)
    else { return nil }
    let parts = text.dropFirst().prefix { $0 != "\0" && $0 != " " }.split(separator: ":")
      .compactMap { Double($0) }
    guard parts.count == 2 else { return nil }
    return (parts[0] * 3600 + parts[1] * 60) * (sign == "+" ? -1 : 1)
  }

  /// Meters above the sea.
  fileprivate var altitude: Double? {
    guard case .rationals(let values)? = self[.gps, 6], let height = values.first?.value else {
      return nil
    }
    if case .bytes(let reference)? = self[.gps, 5], reference.first == 1 { return -height }
    return height
  }
}
