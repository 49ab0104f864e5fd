import Codecs
import Containers
public import Formats
import Foundation
public import HDRRender
public import ImageCore

/// Writes JPEG XL (ISO/IEC 18181): PQ or HLG of BT.2100, or Display P3 in SDR, 16 bits
/// in, lossy or lossless, with Exif and XMP. By libjxl, which needs the whole picture: about 60
/// bytes a pixel.
///
/// Highlights above the peak are rolled off (BT.2390): 1000 cd/m² in HLG, reference white in
/// SDR. PQ is clipped at 10,000 cd/m².
public struct JPEGXLWriter: Sendable, Hashable {
  /// PQ or HLG in BT.2020, or SDR in Display P3.
  public let transfer: DynamicRangeMix.Transfer
  /// Butteraugli distance, 0 (lossless) to 15.
  public let distance: Float
  /// 1 (fast) to 9.
  public let effort: Int
  /// Threads that render and encode.
  public let workers: Int

  /// Visually lossless.
  public static let defaultDistance: Float = 1

  /// A writer of such files. Throws `.badSetting` for a distance or effort outside its range.
  public init(
    _ transfer: DynamicRangeMix.Transfer, distance: Float = defaultDistance, effort: Int = 3,
    workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) {
    guard distance >= 0, distance <= 15 else {
      throw WriteError(.badSetting, "JPEG XL distance \(distance) is outside 0…15; 1 is usual")
    }
    guard (1...9).contains(effort) else {
      throw WriteError(.badSetting, "JPEG XL effort \(effort) is outside 1…9; 3 is usual")
    }
    (self.transfer, self.distance, self.effort) = (transfer, distance, effort)
    self.workers = max(workers, 1)
  }

  /// Writes `picture` to `path`, whole or not at all. Throws `WriteError`: `.badSetting` when the
  /// picture's primaries are not those of its color space.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    to path: String
  ) throws -> WrittenFile {
    let space = ColorSpace(transfer)
    try WriteError.check(picture.info, in: space.primaries, path: path)
    let size = picture.size
    guard size.width > 0, size.height > 0, size.width < 1 << 18, size.height < 1 << 18,
      size.area < 1 << 28
    else {
      throw WriteError(
        .unsupportedSize, "a JPEG XL of \(size) is more than its profile allows", path: path)
    }
    let toneMapping = space.toneMapping(headroom: picture.info.headroom)
    let memory = BandMemory.Block(byteCount: 6 * size.area)
    let statistics = InterleavedCodes(
      size: size, encoder: space.rowEncoder, toneMapping: toneMapping
    )
    .fill(memory, from: picture, workers: workers)
    let brightest = Double(max(statistics.contentHeadroom, 1)) * ReferenceWhite.nits
    let block = EXIF.block(metadata, size: size)
    let encoder = try WriteError.encoding(to: path) {
      let encoder = try JPEGXLEncoder(workers: workers)
      try encoder.describe(
        size, space.primaries, transfer: transfer.codePoint,
        isLossless: distance == 0,
        peakNits: transfer == .pq ? min(brightest, PQ.peakNits) : space.peakNits)
      try encoder.addBox("Exif", ExifItem.bytes(block.bytes))
      try encoder.addBox("xml ", XMPWriter.packet(metadata, format: "image/jxl"))
      try unsafe encoder.addPicture(
        UnsafeRawBufferPointer(memory.bytes), distance: distance, effort: effort)
      return encoder
    }
    return try AtomicFile.write(to: path) { descriptor in
      do {
        try unsafe encoder.finish { try unsafe AtomicFile.append($0, to: descriptor, path: path) }
      } catch let error as CodecError { throw WriteError(error) }
      return WrittenFile(
        path: path, byteCount: Int(lseek(descriptor, 0, SEEK_END)), size: size,
        statistics: statistics, isToneMapped: toneMapping != nil,
        notes: block.notes + (toneMapping == nil ? [] : [BT2390.note(peakNits: space.peakNits)]))
    }
  }
}
