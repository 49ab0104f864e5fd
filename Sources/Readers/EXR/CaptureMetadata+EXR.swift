import Containers
import Foundation
import ImageCore

/// Capture metadata from an OpenEXR header: standard attributes, in their units (written by
/// `EXRAttributes`).
extension CaptureMetadata {
  init(_ header: EXRHeader) {
    self.init(xmp: header.texts["xmp"].map { Array($0.utf8) })
    func number(_ name: String) -> Double? {
      header.numbers[name].flatMap { $0.isFinite ? Double($0) : nil }
    }
    let texts: [(String, ExifEntry.Directory, UInt16)] = [
      ("comments", .image, 0x010E), ("cameraMake", .image, 0x010F), ("cameraModel", .image, 0x0110),
      ("owner", .image, 0x8298), ("capDate", .exif, 0x9003), ("cameraSerialNumber", .exif, 0xA431),
      ("lensMake", .exif, 0xA433), ("lensModel", .exif, 0xA434),
      ("lensSerialNumber", .exif, 0xA435),
    ]
    for (name, directory, tag) in texts {
      if let text = header.texts[name], !text.isEmpty { self[directory, tag] = .ascii(text) }
    }
    let ratios: [(String, UInt16)] = [
      ("expTime", 0x829A), ("aperture", 0x829D), ("focus", 0x9206), ("nominalFocalLength", 0x920A),
    ]
    for (name, tag) in ratios {
      guard let value = number(name), value > 0 else { continue }
      self[.exif, tag] = .rationals([Rational(approximating: value)])
    }
    if let speed = number("isoSpeed"), speed >= 1, speed < 1e9 {
      self[.exif, 0x8827] = .speed(speed)
    }
    // utcOffset is added to local time to get UTC; Exif's offset has the opposite sign.
    if let seconds = number("utcOffset"), abs(seconds) <= 86_400 {
      let minutes = Int((abs(seconds) / 60).rounded())
      let text = String(format: "%02d:%02d", minutes / 60, minutes % 60)
      self[.exif, 0x9011] = .ascii((seconds > 0 ? "-" : "+") + text)
    }
    guard let latitude = number("latitude"), abs(latitude) <= 90,
      let longitude = number("longitude"), abs(longitude) <= 180
    else { return }
    self[.gps, 0] = .bytes([2, 3, 0, 0])
    self[.gps, 1] = .ascii(latitude < 0 ? "S" : "N")
    self[.gps, 2] = Self.degrees(latitude)
    self[.gps, 3] = .ascii(longitude < 0 ? "W" : "E")
    self[.gps, 4] = Self.degrees(longitude)
    if let altitude = number("altitude") {
      self[.gps, 5] = .bytes([altitude < 0 ? 1 : 0])
      self[.gps, 6] = .rationals([Rational(approximating: abs(altitude))])
    }
  }

  /// Degrees, minutes and hundredths of seconds, as exact as single precision is.
  private static func degrees(_ value: Double) -> ExifEntry.Value {
    let hundredths = UInt32((abs(value) * 360_000).rounded())
    return .rationals([
      Rational(hundredths / 360_000, 1), Rational(hundredths / 6000 % 60, 1),
      Rational(hundredths % 6000, 100),
    ])
  }
}
