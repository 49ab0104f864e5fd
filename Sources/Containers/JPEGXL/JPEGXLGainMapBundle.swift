/// The content of a JPEG XL file's `jhgm` box: a gain map with its parameters.
///
/// Source: `JxlGainMapBundle` of libjxl 0.11 (`jxl/gain_map.h`), whose test of 2024 gives the
/// bytes; ISO/IEC 18181-2 was not at hand. All numbers are big-endian:
///
///     u8   version, 0
///     u16  length of the record, then the record of ISO 21496-1 (61 or 141 bytes)
///     u8   length of the color encoding, 0 for none, then it (``JPEGXLColorEncoding``)
///     u32  length of the profile, 0 for none, then an ICC profile in JPEG XL's own compression
///     …    to the end: the map as a bare JPEG XL codestream
///
/// Color encoding and profile describe the alternate rendition. Not confirmed by files of other
/// programs: a writer might put the version byte of a HEIF's `tmap` before the record, so a record
/// that is one byte too long is read without its first byte; and the orientation of a map under a
/// base with its own orientation is assumed to apply to the map, too, where the map's codestream
/// declares it.
package struct JPEGXLGainMapBundle: Sendable, Hashable {
  /// Name of the box.
  package static let box = "jhgm"
  private static let recordLengths = [61, 141]

  /// The record of ISO 21496-1.
  package var record: [UInt8]
  /// The alternate rendition's color encoding; empty for none.
  package var colorEncoding: [UInt8]
  /// The alternate rendition's ICC profile, compressed; empty for none.
  package var compressedProfile: [UInt8]
  /// The map.
  package var codestream: [UInt8]

  package init(
    record: [UInt8], colorEncoding: [UInt8] = [], compressedProfile: [UInt8] = [],
    codestream: [UInt8]
  ) {
    (self.record, self.colorEncoding) = (record, colorEncoding)
    (self.compressedProfile, self.codestream) = (compressedProfile, codestream)
  }

  /// The bundle that `content` holds. Throws for another version, and where it ends early or has no
  /// bare codestream.
  package init(_ content: [UInt8]) throws(FormatError) {
    var cursor = ByteCursor(content)
    let version = try cursor.u8()
    guard version == 0 else {
      throw FormatError(
        .unsupported, "its jhgm box has version \(version), only 0 is supported; write it again")
    }
    var record = Array(try cursor.take(try cursor.u16()))
    if record.first == 0, Self.recordLengths.contains(record.count - 1) { record.removeFirst() }
    self.record = record
    colorEncoding = Array(try cursor.take(try cursor.u8()))
    compressedProfile = Array(try cursor.take(try cursor.u32()))
    codestream = Array(cursor.rest)
    guard codestream.starts(with: JPEGXLImageHeader.signature) else {
      throw .contradiction("its gain map is not a bare JPEG XL codestream")
    }
  }

  /// The content of the box.
  package var bytes: [UInt8] {
    var box = BoxWriter()
    box.u8(0)
    box.u16(UInt16(clamping: record.count))
    box.append(record)
    box.u8(UInt8(clamping: colorEncoding.count))
    box.append(colorEncoding)
    box.u32(UInt32(clamping: compressedProfile.count))
    box.append(compressedProfile)
    box.append(codestream)
    return box.bytes
  }
}
