import Batch
import Containers
import ImageCore
import RawFilter
import Recipes

/// What a list of pictures shows of a raw file, from its directories and metadata: reading them
/// takes about a millisecond.
struct RawDetails: Sendable, Hashable {
  /// The file that was read.
  let status: FileStatus
  /// Of the XMP in the raw, else of Exif; nil for none.
  let marks: PictureMarks?
  /// Time of the exposure, ISO 8601, with its offset from UTC where the file has one.
  let date: String?
  /// Why its picture cannot be decoded although it can be opened: it was cut off.
  let problem: String?

  /// Of the raw that is open, whose file was at `status`.
  init(_ raw: RAWFilter, _ status: FileStatus) {
    self.status = status
    marks = Self.marks(raw.properties)
    date = raw.properties.isoDate
    do throws(RAWError) {
      try raw.rawFile.requireComplete()
      problem = nil
    } catch {
      problem = error.message
    }
  }

  private static func marks(_ metadata: CaptureMetadata) -> PictureMarks? {
    if let marks = metadata.xmp.flatMap({ PictureMarks(packet: $0) }) { return marks }
    guard case .shorts(let stars)? = metadata[.image, TIFFTag.rating] else { return nil }
    return stars.first.map { PictureMarks(xmp: Double($0)) }
  }

  /// The marks in the XMP or profile beside the raw `name` in `folder`; nil if missing or
  /// unreadable.
  static func marks(
    beside name: [UInt8], in folder: [UInt8], _ listing: FolderListing
  ) -> PictureMarks? {
    let found = try? SidecarFinder(folder: folder, listing: listing).sidecars(of: name)
    return found?.description.flatMap { PictureMarks(packet: $0) }
  }
}
