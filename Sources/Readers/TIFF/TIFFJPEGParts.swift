import Codecs
import Containers
import ImageCore

/// The strips or tiles of a TIFF page in JPEG (Compression 7), each as a file with the tables that
/// all of them share in front.
///
/// libtiff names a missing end marker, filling in front of it and the odd scans of some phones as
/// it names damage, and is silent on what follows its first complaint: the same stream as a JPEG
/// tells which it is.
struct TIFFJPEGParts {
  /// That of the page.
  let directory: TIFFDirectory
  let file: FileBytes

  /// Throws unless strip or tile `number`, which libtiff decoded to its end while it said `error`,
  /// is whole all the same. One of a kind that is not read is named.
  func check(_ number: Int, after error: FormatError) throws(ReadError) {
    let failure = ReadError(error)
    guard let bytes = jpeg(number), let part = try? FileBytes(bytes, of: file),
      let image = JPEGSegments(part)
    else { throw failure }
    try image.frame?.check(path: file.path)
    // Errors by which libtiff ends early are none of these warnings.
    if case .damaged = TurboJPEG.Complaint(warning: error.message) { throw failure }
    do throws(ReadError) {
      // The samples are there already: the smallest picture says as much of the stream.
      _ = try image.decode(minSide: 1)
    } catch {
      guard error.code == .tooLarge else { throw failure }
      throw ReadError(error.code, error.message, path: file.path)
    }
  }

  /// Strip or tile `number` as a JPEG file.
  private func jpeg(_ number: Int) -> [UInt8]? {
    let offsets = directory[TIFFTag.tileOffsets] ?? directory[TIFFTag.stripOffsets]
    let counts = directory[TIFFTag.tileByteCounts] ?? directory[TIFFTag.stripByteCounts]
    guard let offset = offsets?.integer(at: number), let count = counts?.integer(at: number),
      let part = file.bytes(offset, count), part.starts(with: [0xFF, 0xD8])
    else { return nil }
    guard let tables = directory[TIFFTag.jpegTables] else { return part }
    guard tables.count <= FormatLimits.jpegTableBytes,
      let shared = try? FileBytes(tables.bytes, of: file),
      let segments = JPEGSegments(shared)
    else { return nil }
    return Array(part.prefix(2)) + segments.segmentBytes + part.dropFirst(2)
  }
}
