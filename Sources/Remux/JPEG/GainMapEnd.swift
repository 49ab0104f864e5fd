import Containers
import ImageCore
import Readers

/// The end of a gain map's JPEG. More data may follow in the file, such as the video of a motion
/// photo.
///
/// It is at an end marker, or where that is missing at the size in the multi-picture index or in
/// Android's directory. A marker outside that size may belong to the following data, so that it
/// counts only where the data up to it are exactly one picture; the same applies where no size is
/// given.
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

  /// After the last byte of the map; nil where unknown.
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
      if isExpected || isComplete(before: found) { return found }
    }
    guard let end else {
      let last = min(found ?? limit, limit)
      return isComplete(before: last) ? last : nil
    }
    // The size may count in a marker that is missing.
    let isCounted = end < limit && !isMarked(end) && isComplete(before: end - 2)
    return isCounted ? end - 2 : end
  }

  /// Whether an end marker precedes `end`.
  private func isMarked(_ end: Int) -> Bool {
    file.integer(UInt16.self, at: end - 2, bigEndian: true) == Self.endMarker
  }

  /// Whether the bytes up to `end` decode to a picture, and nothing else is among them.
  private func isComplete(before end: Int) -> Bool {
    guard end > data, let bytes = file.bytes(picture.start, end - picture.start) else {
      return false
    }
    return (try? StillImage(bytes, limits: file.limits).storedSamples()) != nil
  }
}
