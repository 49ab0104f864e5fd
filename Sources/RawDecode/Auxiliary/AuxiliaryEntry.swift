import Containers
import ImageCore

/// A directory of a DNG that holds a one-channel picture beside the raw.
package struct AuxiliaryEntry: Sendable {
  /// What it shows, by NewSubFileType (254) and PhotometricInterpretation (262).
  package enum Use: Sendable, Hashable {
    case semanticMatte
    case depth
    case transparency
  }

  /// MaskSubArea: where the stored pixels lie in the picture that covers the active area.
  struct SubArea: Sendable {
    var left: Int
    var top: Int
    var frame: PixelSize
  }

  package let use: Use
  /// Whether the file calls it a reduced version of another.
  let isReduced: Bool
  let stored: StoredPicture
  /// Nil when its MaskSubArea contradicts it.
  let subArea: SubArea?
  /// SemanticName; empty when not given.
  let name: String
  /// SemanticInstanceID.
  let instanceID: String?
  /// Whether all auxiliary pictures together name far more bytes than the file has.
  fileprivate(set) var isShared = false
  /// Whether those in front of it leave fewer pixels of ``RawFile/mostAuxiliaryPixels``.
  fileprivate(set) var isBeyondLimit = false

  /// Pixels that decoding it takes as long as: those of its whole tiles, or of the frame in which
  /// they lie, and for each tile or strip what it takes however small.
  var pixels: Int {
    let storage = stored.storage
    let least = max(storage.leastPixels, 256)
    return max(storage.covered.area, subArea?.frame.area ?? 0, storage.chunks.count * least)
  }

  /// The picture of `directory`; nil when that is of another use or has no size.
  init?(_ directory: TIFFDirectory, bigEndian: Bool) {
    guard directory.role != .exif, directory.role != .gps else { return nil }
    switch (
      directory[TIFFTag.newSubfileType]?.integer ?? 0,
      directory[TIFFTag.photometricInterpretation]?.integer
    ) {
    case (0x10004, _), (_, TIFFTag.Photometric.photometricMask):
      (use, isReduced) = (.semanticMatte, false)
    case (9, _): (use, isReduced) = (.depth, true)
    case (8, _), (_, TIFFTag.Photometric.depth): (use, isReduced) = (.depth, false)
    case (5, _): (use, isReduced) = (.transparency, true)
    case (4, _): (use, isReduced) = (.transparency, false)
    default: return nil
    }
    guard let storage = RawStorage(directory) else { return nil }
    stored = StoredPicture(
      storage: storage, bigEndian: bigEndian, area: PixelRect(storage.size))
    name = directory[DNGTag.semanticName]?.name ?? ""
    instanceID = directory[DNGTag.semanticInstanceID]?.text.flatMap { $0.isEmpty ? nil : $0 }
    guard let entry = directory[DNGTag.maskSubArea] else {
      subArea = SubArea(left: 0, top: 0, frame: storage.size)
      return
    }
    // Top and left of the stored part, then columns and rows of the whole.
    let limits = 0..<1 << 24
    guard entry.count == 4, let v = entry.integers, v.allSatisfy(limits.contains),
      v[1] + storage.size.width <= v[2], v[0] + storage.size.height <= v[3]
    else {
      subArea = nil
      return
    }
    subArea = SubArea(left: v[1], top: v[0], frame: PixelSize(width: v[2], height: v[3]))
  }
}

extension RawFile {
  /// The auxiliary pictures of a DNG, in the order of their directories; none for other raws.
  package var auxiliary: [AuxiliaryEntry] {
    guard info.isDNG, let tiff else { return [] }
    var entries = tiff.directories.compactMap { AuxiliaryEntry($0, bigEndian: tiff.bigEndian) }
    // Bytes that many pictures share are decoded for each of them. The limit is that of the strips
    // and tiles of one picture.
    let most = bytes.count
    let parts = entries.lazy.flatMap { $0.stored.storage.chunks }
    let isShared = parts.reduce(0) { $0 + min(max($1.bytes, 0), most) } > 8 * most
    // So are pixels that a few bytes stand for. One that is refused by itself leaves the others.
    var pixelsLeft = mostAuxiliaryPixels
    for index in entries.indices {
      let pixels = entries[index].pixels
      entries[index].isShared = isShared
      entries[index].isBeyondLimit = pixels > pixelsLeft
      if pixels <= pixelsLeft { pixelsLeft -= pixels }
    }
    return entries
  }

  /// Pixels that all auxiliary pictures may have together: those of four as large as the picture,
  /// as cameras store them at half its size and less. Tiles around those of small files have room.
  var mostAuxiliaryPixels: Int { min(limits.maxPixels, max(4 * info.size.area, 1 << 24)) }

  /// The first picture of this use, whole ones before reduced ones.
  package func auxiliary(_ use: AuxiliaryEntry.Use) -> AuxiliaryEntry? {
    let all = auxiliary.filter { $0.use == use }
    return all.first { !$0.isReduced } ?? all.first
  }
}
