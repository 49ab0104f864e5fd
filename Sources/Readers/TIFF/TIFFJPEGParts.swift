import Codecs
import Containers
import ImageCore

/// The strips or tiles of a TIFF page in JPEG (Compression 7), each as a JPEG file that begins with
/// the common tables.
///
/// libtiff reports a missing end marker, padding before it and nonstandard scans of some phones
/// like damage, and nothing after its first warning. Decoding the same stream as a JPEG shows which
/// it is.
struct TIFFJPEGParts {
  /// The kind of the page.
  let directory: TIFFDirectory
  let file: FileBytes

  /// Throws unless strip or tile `number`, which libtiff decoded completely but with `error`, is
  /// complete. Names an unsupported kind.
  func check(_ number: Int, after error: FormatError) throws(ReadError) {
    let failure = ReadError(error)
    guard let bytes = jpeg(number), let part = try? FileBytes(bytes, of: file),
      let image = JPEGSegments(part)
    else { throw failure }
    try image.frame?.check(path: file.path)
    // Errors at which libtiff stops early are not among these warnings.
    if case .damaged = TurboJPEG.Complaint(warning: error.message) { throw failure }
    do throws(ReadError) {
      // The samples are decoded already, so the smallest size is enough to check the stream.
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
