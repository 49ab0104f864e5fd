import Containers
import ImageCore

/// Where an ARW 6 stores its samples, and what LibRaw reads of the rest of the file, which it opens
/// no file of this compression for.
struct SonyARW6Storage: Sendable {
  /// What a user should know.
  static let note =
    "Sony's ARW 6 is decoded by published descriptions and was not tested with a camera's file; "
    + "compare the picture with the camera's own"

  private let start: Int
  private let bytes: Int
  private let size: PixelSize
  /// The headers of the tiles.
  let header: SonyARW6Header
  /// Where the number of the compression stands in the file.
  private let compression: Int
  /// Twice what the file has, as values behind the curve count.
  private let black: [Double]
  private let white: Double
  /// The part that the camera delivers.
  private let frame: [Int]

  /// The storage of `file`, whose structure is `tiff`; nil when it is another one, or one that is
  /// not known in each of its parts.
  init?(_ tiff: TIFFFile, _ file: FileBytes) {
    guard tiff.magic == 42, tiff.first[TIFFTag.make]?.name?.lowercased().hasPrefix("sony") == true,
      let raw = tiff.directories.first(where: \.isMosaic),
      let compression = raw[TIFFTag.compression],
      compression.integer == TIFFTag.Compression.sonyARW6, compression.type == 3,
      let start = raw[TIFFTag.stripOffsets]?.integers,
      let bytes = raw[TIFFTag.stripByteCounts]?.integers, start.count == 1,
      bytes.count == 1, let width = raw[TIFFTag.imageWidth]?.integer,
      let height = raw[TIFFTag.imageLength]?.integer,
      (1...65_535).contains(width), (1...65_535).contains(height),
      raw[TIFFTag.samplesPerPixel]?.integer ?? 1 == 1,
      raw[DNGTag.cfaPattern]?.integers.map({ $0 == [0, 1, 1, 2] }) ?? true
    else { return nil }
    let levels = raw[0x7310]?.integers ?? [512, 512, 512, 512]
    let most = raw[DNGTag.whiteLevel]?.integers?.first ?? 16_383
    guard levels.count == 4, let highest = levels.max(), highest < most, most <= 19_501
    else { return nil }
    (self.start, self.bytes) = (start[0], bytes[0])
    size = PixelSize(width: width, height: height)
    guard let header = SonyARW6Header(file, at: start[0], bytes[0], mosaic: size) else {
      return nil
    }
    self.header = header
    self.compression = compression.offset
    (black, white) = (levels.map { Double(2 * $0) }, Double(2 * most))
    frame =
      (raw[DNGTag.defaultCropOrigin]?.integers ?? [])
      + (raw[DNGTag.defaultCropSize]?.integers ?? [])
  }

  /// What LibRaw reads of `file`, with the levels and the area of this storage.
  func facts(_ file: FileBytes) throws(RAWError) -> LibRawFacts {
    var facts = try LibRawHandle(description(file)).facts
    guard facts.storedArea.size == size, facts.filters != 0 else {
      throw .contradictingHeader(file)
    }
    facts.decoder = "ARW 6"
    let area =
      frame.count == 4
      ? PixelRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3]) : facts.visibleArea
    if facts.storedArea.contains(area), !area.isEmpty, area.x % 2 == 0, area.y % 2 == 0 {
      (facts.left, facts.top, facts.width, facts.height) = (area.x, area.y, area.width, area.height)
    }
    (facts.black, facts.maximum) = (0, white)
    facts.channelBlack = [0, 0, 0, 0]
    facts.blackPattern = LibRawFacts.BlackPattern(rows: 2, columns: 2, values: black)
    facts.linearMaxima = [0, 0, 0, 0]
    return facts
  }

  /// The file as one that LibRaw opens: uncompressed by its own word, and without the samples where
  /// they, and no directory, are last.
  private func description(_ file: FileBytes) throws(RAWError) -> FileBytes {
    try RAWError.translating(.open) { () throws(FormatError) in
      let isLast = start + bytes >= file.count && compression < start
      guard var copy = file.bytes(0, isLast ? start + 16 : file.count) else {
        throw FormatError(.damaged, "the file ends before its pixel data do; copy it again")
      }
      let isLittle = copy[0] == 0x49
      copy[compression] = isLittle ? 1 : 0
      copy[compression + 1] = isLittle ? 0 : 1
      return try FileBytes(copy, of: file)
    }
  }
}
