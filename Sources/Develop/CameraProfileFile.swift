import Containers
import Foundation
import RawFilter

/// A camera profile as a file of its own (.dcp; DNG 1.7.1 chapter 6, "Camera Profiles"): a
/// little-endian TIFF with magic number 0x4352 and one directory with the profile's tags and the
/// name of the camera. Values are copied and converted to that byte order.
struct CameraProfileFile {
  /// The file.
  let bytes: [UInt8]
  /// Tags that were left out because their type, and so their byte order, is unknown.
  let omitted: [String]

  init(_ profile: StoredProfile, cameraModel: String) {
    var fields: [UInt16: (type: UInt16, count: Int, bytes: [UInt8])] = [:]
    var omitted: [String] = []
    for (tag, entry) in profile.entries {
      if let bytes = entry.littleEndianBytes {
        fields[tag] = (entry.type, entry.count, bytes)
      } else {
        omitted.append("tag \(tag)")
      }
    }
    if fields[50708] == nil {
      let name = Array(cameraModel.utf8) + [0]
      fields[50708] = (2, name.count, name)
    }
    self.omitted = omitted.sorted()

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
    bytes = [0x49, 0x49] + Self.little(UInt16(0x4352)) + Self.little(UInt32(8)) + table + values
  }

  private static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * T($0))) }
  }
}
