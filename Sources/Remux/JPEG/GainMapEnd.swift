import Containers
import ImageCore
import Readers

/// Where the JPEG of a gain map ends, behind which the file may go on: with the film of a motion
/// photo, for one.
///
/// An end marker tells it, and where that is missing the size in the index of pictures or in
/// Android's directory. A marker that does not lie within that size may be one of what follows, so
/// that it counts only where the data up to it are a picture, and nothing but that; the same is
/// asked where nothing says how long the map is.
struct GainMapEnd {
  private let picture: JPEGSegments
  private var file: FileBytes { picture.file }
  /// Where its data begin.
  private let data: Int
  /// Where the next picture of the index starts, or the end of the file.
  private let limit: Int
  /// The sizes that the file states.
  private let indexed: Int?
  private let listed: Int?

  private static let (startMarker, endMarker): (UInt16, UInt16) = (0xFFD8, 0xFFD9)

  /// Of `picture`; `xmp` is the packet of the primary.
  init(_ picture: JPEGSegments, _ index: PictureIndex?, xmp: [UInt8]?) {
    self.picture = picture
    data = picture.scan?.upperBound ?? picture.headerEnd
    let file = picture.file
    let next = (index?.entries ?? []).compactMap(\.start).filter { start in
      start > picture.start
        && file.integer(UInt16.self, at: start, bigEndian: true) == Self.startMarker
    }
    limit = next.min() ?? file.count
    indexed = index?.entries.first { $0.start == picture.start }?.size
    let directory = PictureDirectory(XMLTree(xmp ?? [], .lenient, limits: file.limits))
    listed = directory.gainMapLength
  }

  /// Behind the last byte of the map; nil where it cannot be told.
  var position: Int? {
    let room = limit - picture.start
    let stated = [indexed, listed].compactMap(\.self).first { $0 > data - picture.start }
    let end = stated.map { picture.start + min($0, room) }
    let found = picture.end()
    if let found, found <= limit, isMarked(found) {
      // What the index counts in belongs to the map.
      if let indexed, indexed >= found - picture.start, indexed <= room {
        return picture.start + indexed
      }
      let isExpected = end.map { found <= $0 } ?? (found == file.count)
      if isExpected || isWhole(before: found) { return found }
    }
    guard let end else {
      let last = min(found ?? limit, limit)
      return isWhole(before: last) ? last : nil
    }
    // The size may count in a marker that is missing.
    let isCounted = end < limit && !isMarked(end) && isWhole(before: end - 2)
    return isCounted ? end - 2 : end
  }

  /// Whether an end marker stands in front of `end`.
  private func isMarked(_ end: Int) -> Bool {
    file.integer(UInt16.self, at: end - 2, bigEndian: true) == Self.endMarker
  }

  /// Whether the bytes up to `end` decode to a picture, and nothing else is among them.
  private func isWhole(before end: Int) -> Bool {
    guard end > data, let bytes = file.bytes(picture.start, end - picture.start) else {
      return false
    }
    return (try? StillImage(bytes, limits: file.limits).storedSamples()) != nil
  }
}
