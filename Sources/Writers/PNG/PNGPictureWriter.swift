import Codecs
import Containers
public import Formats
import Foundation
import HDRRender
public import ImageCore
import Synchronization

/// Writes rendered pictures as PNG (ISO/IEC 15948, third edition): PQ or HLG of 16 bits with
/// `cICP`, `mDCV` and `cLLI`, or SDR of 8 or 16 bits in any space; all with their ICC profile, Exif
/// and XMP.
///
/// Highlights above reference white are rolled off (BT.2390) in SDR, never clipped, as
/// are those above 1000 cd/m² in HLG. Bands are rendered in parallel, then compressed in order by
/// libpng on one core: 4 s for 24 megapixels.
public struct PNGPictureWriter: PictureWriter {
  /// PNG.
  public static let containers = [EncoderSettings.Container.png]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  private let workers: Int
  /// What code values mean.
  private let space: SampleSpace
  /// Whether one channel is written, of pictures whose three are alike. The device of a profile is
  /// never gray.
  private var isGray = false
  private var colors: Int { isGray ? 1 : 3 }

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(
    _ settings: EncoderSettings = EncoderSettings(.png), workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) {
    try Self.check(settings)
    (self.settings, self.workers) = (settings, max(workers, 1))
    space = try SampleSpace(settings)
  }

  /// Writes `picture` to `destination`, completely or not at all. Content light levels and
  /// mastering display in `hdrMetadata` are written unchanged. Without them, an HDR picture gets
  /// measured levels, and a mastering display that reaches the peak of the space. Throws
  /// `WriteError`: `.badSetting` when the picture's primaries do not match the space, or its
  /// `alpha` has another size.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), hdrMetadata: HDRMetadata = HDRMetadata(),
    to destination: OutputDestination
  ) throws -> WrittenFile {
    let (colorSpace, path) = (space.colorSpace, destination.name)
    try WriteError.check(picture.info, in: colorSpace.primaries, path: path)
    let size = picture.size
    try alpha?.check(size, isMultiplied: false, path: path)
    let toneMapping = colorSpace.toneMapping(headroom: picture.info.headroom)
    var extras = PNGEncoder.Extras()
    extras.profile = (
      keyword,
      try space.iccProfile(isGray: isGray, adaptiveGainCurve: hdrMetadata.adaptiveGainCurve)
    )
    let block = EXIF.block(metadata, size: size, in: space.exif)
    extras.exif = block.bytes
    extras.xmp = XMPWriter.packet(metadata, format: "image/png")
    extras.chunks = hdrChunks(hdrMetadata) + pixelSize(metadata)
    let content = OutputContent(.png, of: picture.info.sources, metadata)
    return try destination.file(content) { descriptor in
      try PNGWriter.check(size, path: path)
      let statistics = try WriteError.encoding(to: path) {
        let file = try PNGEncoder(
          descriptor: descriptor, size: size, bits: settings.bits,
          channels: colors + (alpha == nil ? 0 : 1), level: 1, extras)
        let statistics = try MeasuredStage.codes.measure {
          try writeRows(of: picture, alpha, toneMapping, to: file)
        }
        try file.finish()
        return statistics
      }
      if space.colorSpace.isHDR {
        try patch(
          hdrMetadata.contentLight ?? HDRMetadata.ContentLight(statistics), descriptor, path)
      }
      return WrittenFile(
        at: destination, byteCount: Int(lseek(descriptor, 0, SEEK_END)), size: size,
        statistics: statistics, isToneMapped: toneMapping != nil,
        notes: block.notes
          + (toneMapping == nil
            ? statistics.clippingNotes(in: colorSpace)
            : [BT2390.note(peakNits: colorSpace.peakNits)]))
    }
  }

  /// A gray picture has one channel.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    var writer = self
    writer.isGray = picture.isGray && space.profile == nil
    return try writer.write(
      picture.picture, alpha: picture.alpha, metadata: metadata, hdrMetadata: picture.hdrMetadata,
      to: destination)
  }

  private func writeRows(
    of picture: some PixelSource<DisplayReferred>, _ alpha: AlphaPlane?, _ toneMapping: BT2390?,
    to file: PNGEncoder
  ) throws -> ContentLightStatistics {
    let size = picture.size
    let bands = PictureBands(picture, workers: workers)
    let rowBytes = (colors + (alpha == nil ? 0 : 1)) * size.width * settings.bits / 8
    let memory = BandMemory(byteCount: rowBytes * bands.rows)
    let total = Mutex(ContentLightStatistics())
    let encoder = space.rowEncoder
    try bands.forEach { band, _ in
      let block = try memory.take()
      let statistics = band.rollOff(toneMapping)
      for piece in band.pieces { encode(piece, band.rect, alpha, encoder, into: block, rowBytes) }
      return (block, band.rect.height, statistics)
    } consume: { _, band in
      let (block, rows, statistics) = band
      if let start = unsafe block.bytes.baseAddress {
        try MeasuredStage.encode.measure { () throws(CodecError) in
          try unsafe file.write(
            start.assumingMemoryBound(to: UInt8.self), stride: rowBytes, count: rows)
        }
      }
      memory.giveBack(block)
      total.withLock { $0.add(statistics) }
    }
    return total.withLock { $0 }
  }

  private func encode(
    _ piece: PictureBand.Piece, _ rect: PixelRect, _ alpha: AlphaPlane?,
    _ encoder: any RowEncoder, into block: BandMemory.Block, _ rowBytes: Int
  ) {
    guard let first = unsafe block.bytes.baseAddress else { return }
    let columns = piece.columns
    let pixelBytes = (colors + (alpha == nil ? 0 : 1)) * settings.bits / 8
    let start = unsafe first + columns.lowerBound * pixelBytes
    let isByte = settings.bits == 8
    let isDirect = !isByte && !isGray && alpha == nil
    var codes = [UInt16](repeating: 0, count: isDirect ? 0 : 3 * columns.count)
    for y in 0..<rect.height {
      let rows = piece.rows(y)
      let line = unsafe start + y * rowBytes
      if isDirect {
        unsafe encoder.encode(rows, into: line.assumingMemoryBound(to: UInt16.self))
        continue
      }
      unsafe codes.withUnsafeMutableBufferPointer { codes in
        guard let first = codes.baseAddress else { return }
        if let alpha {
          unsafe encoder.encode(rows, into: first)
          unsafe alpha.interleave(
            first, keeping: colors, x: columns.lowerBound, y: rect.y + y, count: columns.count,
            isByte: isByte, into: line)
        } else if isGray {
          unsafe encoder.encode(rows, into: first)
          unsafe GrayCodes.keep(first, count: columns.count, isByte: isByte, in: line)
        } else {
          unsafe encoder.encode(
            rows, scratch: first, into: line.assumingMemoryBound(to: UInt8.self))
        }
      }
    }
  }

  /// Name of the profile in the file: at most 79 Latin-1 letters.
  private var keyword: String { space.profile == nil ? space.colorSpace.name : "ICC" }

  /// Pixels of a meter, where it is known how large the picture is printed.
  private func pixelSize(_ metadata: CaptureMetadata) -> [(name: String, data: [UInt8])] {
    guard let dots = metadata.dotsPerInch else { return [] }
    let meter = [dots.x, dots.y].map { UInt32(($0 / 0.0254).rounded()).bytes(bigEndian: true) }
    return [(PNGChunk.pixelSize, meter[0] + meter[1] + [1])]
  }

  /// `cICP` for other code points than sRGB's, and in HDR `mDCV` and a placeholder for `cLLI`.
  private func hdrChunks(_ hdrMetadata: HDRMetadata) -> [(name: String, data: [UInt8])] {
    guard space.colorSpace.isHDR else {
      return space == SampleSpace(.bt2020)
        ? [(PNGChunk.codePoints, space.colorSpace.cicp)] : []
    }
    let display = hdrMetadata.masteringDisplay ?? .bt2020(peakNits: space.colorSpace.peakNits)
    return [
      (PNGChunk.codePoints, space.colorSpace.cicp),
      (PNGChunk.masteringDisplay, display.png),
      (PNGChunk.contentLight, [UInt8](repeating: 0, count: 8)),
    ]
  }

  /// Fills the placeholder with the content light levels, known once all pixels are written. It
  /// is found by its name within the first 64 KiB.
  private func patch(
    _ levels: HDRMetadata.ContentLight, _ descriptor: Int32, _ path: String
  ) throws {
    var header = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe pread(descriptor, &header, header.count, 0)
    let name = Array(PNGChunk.contentLight.utf8)
    guard count > 0,
      let at = (8..<max(count - 16, 8)).first(where: { header[$0..<$0 + 4].elementsEqual(name) })
    else {
      throw WriteError(.encoderFailed, "the PNG has no room for its cLLI chunk", path: path)
    }
    let named = name + levels.png
    let sum = unsafe named.withUnsafeBytes { unsafe ZlibStream.crc32($0) }
    let chunk = named + sum.bytes(bigEndian: true)
    guard unsafe pwrite(descriptor, chunk, chunk.count, off_t(at)) == chunk.count
    else {
      throw AtomicFile.failure("cannot write the file", path: path)
    }
  }
}
