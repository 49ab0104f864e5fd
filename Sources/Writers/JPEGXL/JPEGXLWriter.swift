import Codecs
import Containers
public import Formats
import Foundation
import HDRRender
public import ImageCore

/// Writes JPEG XL (ISO/IEC 18181): PQ or HLG of BT.2100, or SDR in any space, 16 bits in, lossy or
/// lossless, with Exif and XMP, and with a gain map where one is given. By libjxl, which needs the
/// complete picture: about 60 bytes a pixel.
///
/// Highlights above the peak are rolled off (BT.2390): 1000 cd/m² in HLG, reference white in
/// SDR. PQ is clipped at 10,000 cd/m².
public struct JPEGXLWriter: PictureWriter {
  /// JPEG XL.
  public static let containers = [EncoderSettings.Container.jpegXL]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  private let workers: Int
  /// What code values mean.
  private let space: SampleSpace
  /// Whether one channel is written, for pictures with three equal channels and no gain map. The
  /// device of a profile is never gray.
  private var isGray = false

  /// libjxl's: 1 (fast) to 9.
  private static let effort = 3

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(
    _ settings: EncoderSettings = EncoderSettings(.jpegXL), workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) {
    try Self.check(settings)
    (self.settings, self.workers) = (settings, max(workers, 1))
    space = try SampleSpace(settings)
  }

  /// Butteraugli distance, 0 (lossless) to 15, by the mapping of cjxl. Without a quality 1,
  /// visually lossless: the distance of the default quality without its float error of 2e-7.
  var distance: Float {
    settings.quality.map { $0 == 1 ? 0 : 0.1 + (1 - $0) * 9 } ?? 1
  }

  /// Writes `picture` to `destination`, with its alpha, completely or not at all. Throws
  /// `WriteError`: `.badSetting` when the picture's primaries do not match its color space, or
  /// `alpha` has another size.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), to destination: OutputDestination
  ) throws -> WrittenFile {
    try write(picture, alpha: alpha, metadata: metadata, to: destination, hasGainMap: false) { nil }
  }

  /// Writes `picture` with `map` in ISO's format. Nothing is rolled off, since the map belongs to
  /// the picture as it is: one that is brighter than the file can hold is refused.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to destination: OutputDestination
  ) throws -> WrittenFile {
    try write(picture, metadata: metadata, to: destination, hasGainMap: true) { map }
  }

  /// The same with the map that `gainMap` gives once the picture has been read; nil for none.
  private func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata, to destination: OutputDestination, hasGainMap: Bool,
    gainMap: () throws -> StoredGainMap?
  ) throws -> WrittenFile {
    let (colorSpace, path) = (space.colorSpace, destination.name)
    let content = OutputContent(.jpegXL, of: picture.info.sources, metadata)
    try destination.check(content)
    try WriteError.check(picture.info, in: space.primaries, path: path)
    let size = picture.size
    try alpha?.check(size, isMultiplied: false, path: path)
    guard size.width > 0, size.height > 0, size.width < 1 << 18, size.height < 1 << 18,
      size.area < 1 << 28
    else {
      throw WriteError(
        .unsupportedSize, "a JPEG XL of \(size) is more than its profile allows", path: path)
    }
    let toneMapping = colorSpace.toneMapping(headroom: picture.info.headroom)
    guard toneMapping == nil || !hasGainMap else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than this JPEG XL can hold, and its gain map would not match the "
          + "clipped base; render it to \(Int(colorSpace.peakNits)) cd/m²", path: path)
    }
    let memory = try BandMemory.Block(byteCount: 6 * size.area)
    let statistics = try InterleavedCodes(
      size: size, encoder: space.rowEncoder, toneMapping: toneMapping
    )
    .fill(memory, from: picture, workers: workers)
    let isGray = isGray && !hasGainMap
    let samples = try laidOut(memory, alpha, isGray: isGray, size)
    let pixelBytes = 2 * ((isGray ? 1 : 3) + (alpha == nil ? 0 : 1))
    let brightest = Double(max(statistics.contentHeadroom, 1)) * ReferenceWhite.nits
    let block = EXIF.block(metadata, size: size, in: space.exif)
    let color = try color(isGray: isGray)
    let map = try gainMap().map {
      try JPEGXLGainMapBox($0, workers: workers)
    }
    let encoder = try WriteError.encoding(to: path) {
      let encoder = try JPEGXLEncoder(workers: workers)
      try encoder.describe(
        size, color, isGray: isGray, hasAlpha: alpha != nil, isLossless: distance == 0,
        peakNits: settings.transfer == .pq ? min(brightest, PQ.peakNits) : colorSpace.peakNits)
      try encoder.addBox("Exif", ExifItem.bytes(block.bytes))
      try encoder.addBox("xml ", XMPWriter.packet(metadata, format: "image/jxl"))
      if let map { try encoder.addBox(JPEGXLGainMapBundle.box, map.content) }
      try unsafe encoder.addPicture(
        UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(samples.bytes)[..<(pixelBytes * size.area)]),
        distance: distance, effort: Self.effort)
      return encoder
    }
    return try destination.file(content) { descriptor in
      do {
        try MeasuredStage.encode.measure {
          try unsafe encoder.finish { try unsafe AtomicFile.append($0, to: descriptor, path: path) }
        }
      } catch let error as CodecError { throw WriteError(error) }
      var written = WrittenFile(
        at: destination, byteCount: Int(lseek(descriptor, 0, SEEK_END)), size: size,
        statistics: statistics, isToneMapped: toneMapping != nil,
        notes: block.notes + (map?.notes ?? [])
          + (toneMapping == nil
            ? statistics.clippingNotes(in: colorSpace)
            : [BT2390.note(peakNits: colorSpace.peakNits)]))
      written.hasGainMap = map != nil
      return written
    }
  }

  /// A gray picture without a gain map has one channel.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    guard let gainMap else {
      var writer = self
      writer.isGray = picture.isGray && space.profile == nil
      return try writer.write(
        picture.picture, alpha: picture.alpha, metadata: metadata, to: destination)
    }
    return try write(
      picture.picture, metadata: metadata, to: destination, hasGainMap: true, gainMap: gainMap)
  }

  /// The codes of `memory` as the encoder takes them: one of three for a gray picture, then alpha.
  private func laidOut(
    _ memory: BandMemory.Block, _ alpha: AlphaPlane?, isGray: Bool, _ size: PixelSize
  ) throws(PixelError) -> BandMemory.Block {
    guard let first = unsafe memory.bytes.baseAddress else { return memory }
    let codes = unsafe first.assumingMemoryBound(to: UInt16.self)
    guard let alpha else {
      if isGray { unsafe GrayCodes.keep(codes, count: size.area, isByte: false, in: first) }
      return memory
    }
    let colors = isGray ? 1 : 3
    let out = try BandMemory.Block(byteCount: 2 * (colors + 1) * size.area)
    guard let target = unsafe out.bytes.baseAddress else { return out }
    for y in 0..<size.height {
      unsafe alpha.interleave(
        codes + 3 * y * size.width, keeping: colors, x: 0, y: y, count: size.width, isByte: false,
        into: target + 2 * (colors + 1) * y * size.width)
    }
    return out
  }

  /// By the encoding's own terms where it has them, else by the profile.
  private func color(isGray: Bool) throws(WriteError) -> JPEGXLEncoder.Color {
    switch space.colorSpace {
    case _ where space.profile != nil, .proPhoto: .profile(try space.iccProfile(isGray: isGray))
    case .adobeRGB: .power(.adobeRGB, 1 / AdobeRGB.exponent)
    // Of four equal curves it supports only BT.709's.
    case .bt2020: .codePoints(.bt2020, transfer: 1)
    default: .codePoints(space.primaries, transfer: space.codePoints.transfer)
    }
  }
}
