import Containers
import ImageCore

/// A DNG directory with a one-channel picture in addition to the raw.
package struct AuxiliaryEntry: Sendable {
  /// The content, by NewSubFileType (254) and PhotometricInterpretation (262).
  package enum Use: Sendable, Hashable {
    case semanticMatte
    case depth
    case transparency
  }

  /// MaskSubArea: position of the stored pixels in the picture that covers the active area.
  struct SubArea: Sendable {
    var left: Int
    var top: Int
    var frame: PixelSize
  }

  package let use: Use
  /// Whether the file marks it as a reduced version of another picture.
  let isReduced: Bool
  let stored: StoredPicture
  /// Nil if its MaskSubArea is inconsistent.
  let subArea: SubArea?
  /// SemanticName; empty when not given.
  let name: String
  /// SemanticInstanceID.
  let instanceID: String?
  /// Whether the byte ranges of all auxiliary pictures together far exceed the file.
  fileprivate(set) var isShared = false
  /// Whether the preceding pictures exhaust ``RawFile/maxAuxiliaryPixels``.
  fileprivate(set) var isBeyondLimit = false

  /// Decoding cost in pixels: the area of its full tiles or of the frame, and the minimum cost of
  /// each tile or strip.
  var pixels: Int {
    let storage = stored.storage
    let minPixels = max(storage.minPixels, 256)
    return max(storage.covered.area, subArea?.frame.area ?? 0, storage.chunks.count * minPixels)
  }

  /// The picture of `directory`; nil if it has another use or no size.
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
    // Top and left of the stored part, then columns and rows of the full frame.
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
    // Shared bytes are decoded once for each picture that uses them. The limit equals that for
    // strips and tiles of one picture.
    let fileSize = bytes.count
    let parts = entries.lazy.flatMap { $0.stored.storage.chunks }
    let isShared = parts.reduce(0) { $0 + min(max($1.bytes, 0), fileSize) } > 8 * fileSize
    // Few bytes may encode many pixels. Rejecting one picture does not affect the others.
    var pixelsLeft = maxAuxiliaryPixels
    for index in entries.indices {
      let pixels = entries[index].pixels
      entries[index].isShared = isShared
      entries[index].isBeyondLimit = pixels > pixelsLeft
      if pixels <= pixelsLeft { pixelsLeft -= pixels }
    }
    return entries
  }

  /// Maximum number of pixels of all auxiliary pictures together: four pictures of the raw's size
  /// (cameras store half its size or less), with a minimum for the tiles of small files.
  var maxAuxiliaryPixels: Int { min(limits.maxPixels, max(4 * info.size.area, 1 << 24)) }

  /// The first picture of this use, preferring full over reduced versions.
  package func auxiliary(_ use: AuxiliaryEntry.Use) -> AuxiliaryEntry? {
    let all = auxiliary.filter { $0.use == use }
    return all.first { !$0.isReduced } ?? all.first
  }
}
