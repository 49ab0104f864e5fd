import Containers
import ImageCore

/// The sample storage of an ARW 6, and LibRaw's metadata for the rest of the file. LibRaw does not
/// open files of this compression.
struct SonyARW6Storage: Sendable {
  /// The warning for users.
  static let note =
    "Sony's ARW 6 is decoded by published descriptions and was not tested with a camera's file; "
    + "compare the picture with the camera's own"

  private let start: Int
  private let bytes: Int
  private let size: PixelSize
  /// The headers of the tiles.
  let header: SonyARW6Header
  /// Offset of the compression value in the file.
  private let compression: Int
  /// Twice the values in the file, since they apply after the curve.
  private let black: [Double]
  private let white: Double
  /// The part that the camera delivers.
  private let frame: [Int]

  /// The storage of `file`, whose structure is `tiff`; nil if it is another format or not fully
  /// known.
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
    let maximum = raw[DNGTag.whiteLevel]?.integers?.first ?? 16_383
    guard levels.count == 4, let highest = levels.max(), highest < maximum, maximum <= 19_501
    else { return nil }
    (self.start, self.bytes) = (start[0], bytes[0])
    size = PixelSize(width: width, height: height)
    guard let header = SonyARW6Header(file, at: start[0], bytes[0], mosaic: size) else {
      return nil
    }
    self.header = header
    self.compression = compression.offset
    (black, white) = (levels.map { Double(2 * $0) }, Double(2 * maximum))
    frame =
      (raw[DNGTag.defaultCropOrigin]?.integers ?? [])
      + (raw[DNGTag.defaultCropSize]?.integers ?? [])
  }

  /// LibRaw's metadata for `file`, with the levels and the area of this storage.
  func metadata(_ file: FileBytes) throws(RAWError) -> LibRawMetadata {
    var metadata = try LibRawHandle(description(file)).metadata
    guard metadata.storedArea.size == size, metadata.filters != 0 else {
      throw .contradictingHeader(file)
    }
    metadata.decoder = "ARW 6"
    let area =
      frame.count == 4
      ? PixelRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
      : metadata.visibleArea
    if metadata.storedArea.contains(area), !area.isEmpty, area.x % 2 == 0, area.y % 2 == 0 {
      (metadata.left, metadata.top, metadata.width, metadata.height) = (
        area.x, area.y, area.width, area.height
      )
    }
    (metadata.black, metadata.maximum) = (0, white)
    metadata.channelBlack = [0, 0, 0, 0]
    metadata.blackPattern = LibRawMetadata.BlackPattern(rows: 2, columns: 2, values: black)
    metadata.linearMaxima = [0, 0, 0, 0]
    return metadata
  }

  /// The file in a form that LibRaw opens: marked as uncompressed, and without the samples if they,
  /// and no directory, are last.
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
