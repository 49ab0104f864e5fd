import Containers
import DNGWriting
public import Formats
import Foundation
import HDRRender
import ImageCore
import RawDecode
public import RawFilter
public import Recipes
import Writers

/// Writes raws as DNG: every sample as it is stored, with all metadata of the raw, in a file
/// that any raw program reads; or three values a pixel, interpolated from them.
/// `Docs/for-archives.md` lists what is preserved.
public struct DNGConverter: Sendable {
  /// The samples of the DNG.
  public typealias Samples = DNGChoice.Samples
  /// How linear values are stored.
  public typealias Bits = DNGChoice.Bits
  /// How samples are stored.
  public typealias Compression = DNGChoice.Compression
  /// The preview pictures.
  public typealias Preview = DNGChoice.Preview

  /// The samples of the DNG.
  public var samples = Samples.stored
  /// The frame of a raw that stores several, from 1 on; nil for the first.
  public var frame: Int?
  /// How linear values are stored.
  public var bits = Bits.half
  /// How samples are stored.
  public var compression = Compression.losslessJPEG
  /// Loss of JPEG XL in just noticeable differences, 0…15; 0 for none.
  public var distance: Float = 0
  /// Effort of JPEG XL, 1…9.
  public var effort = DNGSettings.defaultEffort
  /// The preview pictures.
  public var preview = Preview.full
  /// Whether the written file is read again and compared before it gets its name.
  public var verifies = true
  /// Whether an existing DNG that was made of the same raw is left unchanged.
  public var keepsUpToDate = false
  /// Number of threads; results do not depend on it.
  public var workers: Int

  /// A converter by `choice`; 0 `workers` are one for each core.
  public init(_ choice: DNGChoice = DNGChoice(), workers: Int = 0) {
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
    (samples, bits) = (choice.samples ?? samples, choice.bits ?? bits)
    compression = choice.compression ?? compression
    (distance, effort) = (choice.distance ?? distance, choice.effort ?? effort)
    (preview, verifies) = (choice.preview ?? preview, choice.verifies ?? verifies)
  }

  /// Writes the raw at `input` as DNG to `target`, completely or not at all. A target that is the
  /// raw itself is refused. `progress` gets the fraction that has been written, on any thread.
  public func convert(
    _ input: String, to target: OutputDestination,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(DevelopError) -> Report {
    var filter = try Developer.open(input)
    filter.frameNumber = frame
    return try convert(filter, named: input, to: target, progress: progress)
  }

  /// The same for an opened raw. Only settings of `filter` that affect the demosaiced picture
  /// apply; stored samples depend on none. `description`, the XMP of a sidecar, replaces the raw's
  /// own descriptive metadata.
  public func convert(
    _ filter: RAWFilter, named input: String, to target: OutputDestination,
    description: [UInt8]? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(DevelopError) -> Report {
    let start = ContinuousClock.now
    do {
      try filter.requireFrame()
      let raw = filter.rawFile
      guard !raw.hasOtherSamples else {
        throw WriteError(
          .badSetting, "this DNG needs one raw, not a merged bracket; write another format",
          path: input)
      }
      let digest = raw.bytes.md5
      let rendition = rendition(frame: filter.frameNumber ?? 1)
      if keepsUpToDate, let size = upToDate(target, made: raw, digest, rendition) {
        return report(input, target.name, raw, digest, bytes: size, since: start)
      }
      let target = target.keeping(filter.sourceFiles)
      try target.check(OutputContent(.dng))
      let memory = MemoryEstimate.ofDNG(samples, pixels: raw.info.size.area, threads: workers)
      return try MemoryBudget.shared.withRoom(for: memory) {
        var settings = DNGSettings(workers: workers)
        settings.compression = DNGSettings.Compression(rawValue: compression.rawValue) ?? .none
        (settings.distance, settings.effort) = (distance, effort)
        settings.verifies = verifies
        var relevant = filter
        relevant.settings = samples.relevant(of: filter.settings)
        let writer = try DNGWriter(raw, settings, linear: try linear(relevant))
        var plain = filter
        (plain.settings, plain.outputPrimaries) = (RAWSettings(), .bt2020)
        let noise = raw.tags == nil ? try plain.measuredNoiseProfile() : []
        let stops = raw.tags == nil ? Double(try plain.resolvedBaselineExposure()) : nil
        let written = try writer.write(
          to: target, name: URL(fileURLWithPath: input).lastPathComponent,
          previews: try previews(plain), digest: digest, rendition: rendition,
          metadata: raw.metadata.described(by: description), baselineExposure: stops,
          noise: noise, progress: progress)
        return report(input, target.name, raw, digest, written, since: start)
      }
    } catch {
      throw DevelopError(error, path: input)
    }
  }

  /// The picture that replaces the raw's own samples; nil for stored samples.
  private func linear(_ filter: RAWFilter) throws -> LinearPicture? {
    guard samples != .stored else { return nil }
    guard samples == .linear || bits != .integers else {
      throw WriteError(
        .badSetting, "integers cannot store the values of a scene above white; take 16f or 32f",
        path: filter.rawFile.bytes.path)
    }
    var filter = filter
    filter.workers = workers
    let kind: RAWFilter.LinearSamples =
      switch bits {
      case .integers: .integers
      case .half: .halves
      case .float: .floats
      }
    let made = try filter.linearCamera(kind, isCorrected: samples == .scene)
    return LinearPicture(
      info: made.info, data: made.data, isHalf: bits == .half,
      kind: samples == .scene ? .corrected : .demosaiced)
  }

  /// The report on the `written` DNG of `raw`, or on one of `bytes` that is up to date.
  func report(
    _ input: String, _ output: String, _ raw: RawFile, _ digest: [UInt8], bytes: Int = 0,
    _ written: DNGWriter.Written? = nil, since start: ContinuousClock.Instant
  ) -> Report {
    var choice = DNGChoice()
    (choice.samples, choice.bits) = (samples, bits)
    choice.compression =
      written.flatMap { Compression(rawValue: $0.compression.rawValue) } ?? compression
    let isVerified = written?.isVerified ?? false
    var picture = WrittenPicture(
      dng: output, choice, isVerified: isVerified, size: raw.info.storedSize,
      bytes: written?.byteCount ?? bytes,
      warnings: written.map { $0.notes + raw.info.warnings } ?? [],
      remedies: written == nil ? [] : raw.info.colorRemedies, since: start)
    picture.contents = written?.contents
    return Report(
      input: input, picture, compression: choice.compression ?? compression,
      inputBytes: raw.bytes.count, inputMD5: MD5.text(digest), isVerified: isVerified,
      wasUpToDate: written == nil)
  }

  /// The processing of the samples; empty for stored samples.
  private func rendition(frame: Int) -> String {
    let samples = samples == .stored ? nil : "\(samples.rawValue) \(bits.rawValue)"
    let loss = compression == .jpegXL && distance > 0 ? "distance \(distance)" : nil
    // The digest of the source does not tell frames apart.
    let number = frame > 1 ? "frame \(frame)" : nil
    return [samples, loss, number].compactMap(\.self).joined(separator: ", ")
  }

  /// Bytes of the DNG at `target`, where it was made of `raw` with these settings; nil for any
  /// other file.
  private func upToDate(
    _ target: OutputDestination, made raw: RawFile, _ digest: [UInt8], _ rendition: String
  ) -> Int? {
    guard let url = target.url, let written = try? RawFile.open(url), DNGWriter.isOwn(written),
      DNGWriter.sourceDigest(of: written) == digest,
      DNGWriter.rendition(of: written) == rendition
    else { return nil }
    return written.bytes.count
  }

  private func previews(_ filter: RAWFilter) throws -> DNGPreviews {
    guard preview != .none else { return .none }
    let raw = filter.rawFile
    let keepsOwn = preview == .full && raw.tags != nil && filter.previewImage != nil
    // A preview that was turned upright would be turned again.
    var picture = filter.previewImage.flatMap { preview in
      let (stored, size) = (raw.info.size, preview.size)
      let turned =
        raw.info.orientation.swapsAxes && size.width != size.height
        && (size.width > size.height) != (stored.width > stored.height)
      return turned ? nil : preview
    }
    let isDrawn = picture == nil
    if isDrawn { picture = try rendered(filter) }
    return previews(of: picture, keepsOwn: keepsOwn, isDrawn: isDrawn)
  }

  /// `picture` reduced and, where it is wanted and the raw's own is not copied, in full size.
  func previews(
    of picture: EmbeddedPreview?, keepsOwn: Bool = false, isDrawn: Bool
  ) -> DNGPreviews {
    guard let picture, let small = picture.decode(maxSide: 256) else { return .none }
    return DNGPreviews(
      thumbnail: DNGPreviews.Thumbnail(
        width: small.size.width, height: small.size.height, rgb: small.rgb),
      jpeg: preview == .full && !keepsOwn ? picture.jpeg : nil, keepsOwn: keepsOwn,
      isDrawn: isDrawn)
  }

  /// A picture of 1024 pixels in sRGB, in stored orientation.
  func rendered(_ filter: RAWFilter) throws -> EmbeddedPreview? {
    var filter = filter
    filter.extendedDynamicRangeAmount = 0
    filter.orientation = .up
    // Invisible at this size, and takes most of the time.
    (filter.luminanceNoiseReductionAmount, filter.colorNoiseReductionAmount) = (0, 0)
    filter.sharpnessAmount = 0
    filter.isLateralColorCorrectionEnabled = false
    let longest = max(filter.nativeSize.width, filter.nativeSize.height, 1)
    filter.scaleFactor = Float(min(1, 1024 / Double(longest)))
    return EmbeddedPreview(
      try JPEGWriter(EncoderSettings(.jpeg, .sRGB), workers: workers).encode(
        PrimariesConversion(try filter.rendition(), to: .srgb, .compressed)))
  }
}
