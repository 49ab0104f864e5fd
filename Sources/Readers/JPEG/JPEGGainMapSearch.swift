import Containers
import HDRRender
import ImageCore

/// Finds the gain map after the primary picture of a JPEG file: by the MPF index, else by Android's
/// directory in the XMP, else by a scan from the end of the primary. The scan reads all data, so it
/// runs only where the primary announces a gain map, and stops after 8 pictures. A picture is a
/// gain map if its own segments declare it; the first usable one is taken. Indexed pictures may
/// overlap in the segments before their pixels, but the total read is limited to a few times the
/// file.
struct JPEGGainMapSearch {
  /// The gain map; nil without a usable one.
  private(set) var map: JPEGGainMap?
  /// The picture of ``map``; without one the first that declares itself a gain map.
  private(set) var mapPicture: JPEGSegments?
  /// Why a gain map, or a format of its parameters, cannot be used.
  private(set) var notes: [String] = []
  /// Sizes of the large thumbnails in the index.
  private(set) var thumbnails: [PixelSize] = []

  private let primary: JPEGSegments
  private let base: ColorDescription
  private let maker: AppleGainMap.MakerValues?
  private var tried: Set<Int> = []
  /// Bytes of the segments and scans that were read.
  private var readBytes = 0

  /// `xmp`, `base` and `maker`: packet, colors and maker values of the primary.
  init(
    behind primary: JPEGSegments, xmp: [UInt8]?, base: ColorDescription,
    maker: AppleGainMap.MakerValues?
  ) {
    self.primary = primary
    self.base = base
    self.maker = maker
    let index = primary.pictureIndex.map { MultiPictureIndex(primary.file, $0) }
    var isIndexDamaged = index.map { $0 == nil } ?? false
    for entry in index??.others ?? [] {
      let frame = picture(at: entry.start)?.frame
      if frame == nil { isIndexDamaged = true }
      if entry.kind >> 16 == 1, let frame { thumbnails.append(frame.size) }
    }
    for entry in index??.others ?? [] where isGainMap(at: entry.start) { return }
    let packet = XMLTree(xmp ?? [], .lenient, limits: primary.file.limits)
    let list = PictureDirectory(packet)
    let isAnnounced =
      list.hasGainMap || primary.gainMapRecord != nil
      || HDRGMValues.isIn(XMPPacket(packet))
    guard isAnnounced || maker != nil || isIndexDamaged else { return }
    if lookBehind(list) || !isAnnounced || mapPicture != nil { return }
    notes.append("the metadata declares a gain map that is missing; copy it again from its source")
  }

  /// Searches at the positions in `list` and after the primary; whether a usable gain map was
  /// found.
  private mutating func lookBehind(_ list: PictureDirectory) -> Bool {
    for start in list.gainMapStarts(count: primary.file.count, end: nil)
    where isGainMap(at: start) { return true }
    var end = primary.end()
    for start in list.gainMapStarts(count: primary.file.count, end: end)
    where isGainMap(at: start) { return true }
    for _ in 0..<FormatLimits.trailingPictures {
      guard let start = end.flatMap({ JPEGSegments.nextImage(primary.file, from: $0) }) else {
        break
      }
      if isGainMap(at: start) { return true }
      end = picture(at: start)?.end() ?? start + 2
    }
    return false
  }

  /// The picture at offset `start`, which must be after the header of the primary.
  private mutating func picture(at start: Int) -> JPEGSegments? {
    guard let scan = primary.scan, start >= scan.upperBound,
      readBytes <= FormatLimits.reuse * primary.file.count,
      let picture = JPEGSegments(primary.file, at: start)
    else { return nil }
    readBytes += picture.headerEnd - start
    return picture
  }

  /// Whether a usable gain map starts at `start`.
  private mutating func isGainMap(at start: Int) -> Bool {
    guard tried.insert(start).inserted, let image = picture(at: start) else { return false }
    switch JPEGGainMap.find(image, base: base, maker: maker) {
    case .none: return false
    case .usable(let found, let notes):
      map = found
      mapPicture = image
      self.notes += notes
      return true
    case .unusable(let notes):
      mapPicture = mapPicture ?? image
      // Its scans were counted, or would be in the next one of this kind.
      if let frame = image.frame, image.isInScans(frame) {
        readBytes += primary.file.count - image.headerEnd
      }
      self.notes += notes
      return false
    }
  }
}
