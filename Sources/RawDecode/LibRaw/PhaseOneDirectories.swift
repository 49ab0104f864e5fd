import Containers
import ImageCore

/// Rejects Phase One IIQs that LibRaw 0.20 would read for minutes: if the file stores neither the
/// back's serial number nor the body's name, it reads a second directory with the declared number
/// of entries, up to 4 billion, even beyond the end of the file. LibRaw 0.21 has a limit.
///
/// The structure (published analyses: dcraw's `parse_phase_one`) starts within the first 32 bytes
/// with `IIII` or `MMMM`; offsets are relative to it. It is followed by the mark `Raw` and the
/// offset of the directory: a count, 4 bytes, and entries of 16 bytes (tag, type, length, value or
/// offset). Tag 0x110 is the offset of the header of the second directory: byte order, 6 bytes,
/// offset from that header; there a count, 4 bytes, and entries of 12 bytes.
enum PhaseOneDirectories {
  private static let (serialNumber, bodyName, secondDirectory) = (0x102, 0x410, 0x110)

  /// Throws if `installed` would not stop reading the second directory of `file`, an IIQ.
  static func requireEnd(
    _ file: FileBytes, installed: LibRawVersion = .installed
  ) throws(RAWError) {
    guard installed < LibRawVersion(major: 0, minor: 21), let start = start(file),
      let header = secondHeader(file, start)
    else { return }
    let isBig = !file.matches("II", at: header)
    let count = file.integer(UInt32.self, at: header + 8, bigEndian: isBig)
      .flatMap { file.integer(UInt32.self, at: header + Int($0), bigEndian: isBig) }
    guard count.map({ $0 <= RawDecodeLimits.phaseOneEntries }) != true else { return }
    throw RAWError(
      .damaged, .open,
      "this Phase One raw has neither the back's serial number nor a complete second directory; "
        + "copy the file again, or " + Workaround.sentence([.newerLibRaw]),
      path: file.path, remedies: Workaround.remedies([.newerLibRaw]))
  }

  private static func start(_ file: FileBytes) -> Int? {
    for mark in ["MMMM", "IIII"] {
      if let start = (0...28).first(where: { file.matches(mark, at: $0) }) { return start }
    }
    return nil
  }

  /// Offset of the header of the second directory; nil if LibRaw does not read it.
  private static func secondHeader(_ file: FileBytes, _ start: Int) -> Int? {
    let isBig = file.matches("MMMM", at: start)
    func word(_ offset: Int) -> Int? {
      file.integer(UInt32.self, at: offset, bigEndian: isBig).map { Int($0) }
    }
    guard let mark = word(start + 4), mark >> 8 == 0x526177, let first = word(start + 8),
      let count = word(start + first), count <= RawDecodeLimits.phaseOneEntries
    else { return nil }
    var header = 0
    for index in 0..<count {
      let entry = start + first + 8 + 16 * index
      guard let tag = word(entry), let length = word(entry + 8), let value = word(entry + 12)
      else { break }
      switch tag {
      case serialNumber, bodyName:
        // A text of one byte is its terminator; bodies without a name fill theirs with 0xFF.
        let first = file.bytes(start + value, 1)?.first ?? 0
        if length > 1, first != 0, tag == serialNumber || first != 0xFF { return nil }
      case secondDirectory: header = start + value
      default: break
      }
    }
    return header
  }
}
