import Containers
import Foundation
import ImageCore
import RawFilter

/// A camera profile as a file of its own (.dcp; DNG 1.7.1 chapter 6, "Camera Profiles"): a
/// little-endian TIFF with magic number 0x4352 and one directory with the profile's tags and the
/// name of the camera. Values are copied and converted to that byte order.
struct CameraProfileFile {
  /// The file.
  let bytes: [UInt8]
  /// Tags that were left out because their type, and so their byte order, is unknown.
  let omitted: [String]

  /// The value of a tag: its TIFF type, the number of values and these, little-endian.
  typealias Field = (type: UInt16, count: Int, bytes: [UInt8])

  init(_ profile: StoredProfile, cameraModel: String) {
    var fields: [UInt16: Field] = [:]
    var omitted: [String] = []
    for (tag, entry) in profile.entries {
      if let bytes = entry.littleEndianBytes {
        fields[tag] = (entry.type, entry.count, bytes)
      } else {
        omitted.append("tag \(tag)")
      }
    }
    if fields[50708] == nil {
      fields[50708] = Self.text(cameraModel)
    }
    bytes = Self.file(fields)
    self.omitted = omitted.sorted()
  }

  /// The profile of one calibration, by `colorMatrix` from XYZ to camera values and `forwardMatrix`
  /// from white-balanced ones to XYZ under D50; `illuminant` is an Exif LightSource.
  init(
    name: String, cameraModel: String, colorMatrix: Matrix3, forwardMatrix: Matrix3,
    illuminant: UInt16
  ) {
    omitted = []
    bytes = Self.file([
      50708: Self.text(cameraModel), 50721: Self.matrix(colorMatrix),
      50778: (3, 1, Self.little(illuminant)), 50936: Self.text(name),
      // May be copied.
      50941: (4, 1, Self.little(UInt32(0))),
      50964: Self.matrix(forwardMatrix),
      // Nothing is subtracted as black: it was measured.
      51110: (4, 1, Self.little(UInt32(1))),
    ])
  }

  private static func text(_ text: String) -> Field {
    let bytes = Array(text.utf8) + [0]
    return (2, bytes.count, bytes)
  }

  /// Signed fractions of 1/10000, to which readers round.
  private static func matrix(_ matrix: Matrix3) -> Field {
    let values = matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
    return (
      10, 9,
      values.flatMap {
        little(Int32(clamping: Int(($0 * 10_000).rounded()))) + little(Int32(10_000))
      }
    )
  }

  /// The file of these tags.
  private static func file(_ fields: [UInt16: Field]) -> [UInt8] {
    var table = Self.little(UInt16(fields.count))
    var values: [UInt8] = []
    let valuesStart = 8 + 2 + 12 * fields.count + 4
    for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
      table +=
        Self.little(tag) + Self.little(field.type) + Self.little(UInt32(clamping: field.count))
      if field.bytes.count <= 4 {
        table += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      } else {
        table += Self.little(UInt32(clamping: valuesStart + values.count))
        values += field.bytes
        if values.count % 2 == 1 { values.append(0) }
      }
    }
    table += Self.little(UInt32(0))
    return [0x49, 0x49] + Self.little(UInt16(0x4352)) + Self.little(UInt32(8)) + table + values
  }

  private static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * T($0))) }
  }
}
