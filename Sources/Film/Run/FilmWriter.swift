public import Formats
import Foundation
import HDRRender
public import ImageCore
import Writers

/// Writes a film of frames that a program makes: pictures, or planes that are coded already.
///
///     let settings = try FilmSettings(.hevc, in: .mov, .hlg)
///     let film = try FilmWriter(settings, size: size, rate: .usual, to: .file(url))
///     for picture in pictures { try film.append(picture) }
///     let report = try film.finish()
///
/// Not synchronized: one thread at a time. Without ``finish()`` nothing is written.
public final class FilmWriter {
  private let assembly: FilmAssembly
  private let encoding: VideoEncoding
  private let framing: FilmFraming
  private let settings: FilmSettings
  private let rate: FrameRate
  private let destination: OutputDestination
  private let workers: Int
  private let start = ContinuousClock.now
  private var count = 0
  private var sources: Set<FileIdentity> = []
  private var isEnded = false

  /// A film of `size` at `destination`. `headroom`: the largest value of all its pictures, a ratio
  /// to white; by default all that the format holds. Throws where settings and size contradict each
  /// other, or the encoder is missing.
  public init(
    _ settings: FilmSettings, size: PixelSize, rate: FrameRate, headroom: Float? = nil,
    to destination: OutputDestination, workers: Int = 0
  ) throws {
    (self.settings, self.rate, self.destination) = (settings, rate, destination)
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
    framing = try FilmFraming(size, .exactly(size), settings.chroma)
    let tools = try FilmTools()
    try tools.require(settings.codec)
    let most = Float(settings.space.peakNits / ReferenceWhite.nits)
    let headroom = headroom ?? most
    var mastering = settings.metadata.masteringDisplay
    if settings.format == .pq, mastering == nil {
      let c = settings.primaries.chromaticities
      mastering = HDRMetadata.MasteringDisplay(
        red: c.red, green: c.green, blue: c.blue, white: .d65,
        maximumNits: (min(Double(headroom), Double(most)) * ReferenceWhite.nits).rounded(.up),
        minimumNits: 0.0005)
    }
    let command = try EncoderCommand(
      tools, settings, size: framing.size, rate: rate,
      segment: settings.isResumable ? EncoderCommand.usualSegment(rate) : .max,
      mastering: mastering)
    try destination.check(OutputContent(settings.codec.row.name, [settings.container.rawValue]))
    let work = try WorkFolder(
      destination.url?.path, container: settings.container, plan: "", keeps: false)
    assembly = FilmAssembly(command, work)
    encoding = VideoEncoding(
      settings.space, matrix: settings.codePoints.matrix, bits: settings.bits,
      chroma: settings.chroma.coded, isFullRange: settings.isFullRange, headroom: headroom)
  }

  deinit { if !isEnded { cancel() } }

  /// Bytes of a frame that is coded already (``append(packed:)``).
  public var frameBytes: Int { encoding.bytes(framing.size) }

  /// Adds a picture, which is in the primaries of the film; one of another size is fitted in, on
  /// black.
  public func append(_ picture: any PixelSource<DisplayReferred>) throws {
    let (framed, active) = try framing.framed(picture)
    sources.formUnion(picture.info.sources)
    let (planes, light) = try encoding.frame(framed, active: active, workers: workers)
    try add(planes.packed(bits: settings.bits), light)
  }

  /// Adds a frame as the encoder takes it: Y', Cb and Cr one after the other, without padding; of
  /// more than 8 bits two bytes a sample, the lower first.
  public func append(packed: [UInt8]) throws {
    guard packed.count == frameBytes else {
      throw FilmError(
        .badSetting, "a frame has \(packed.count) bytes; of this film it has \(frameBytes)")
    }
    try add(packed, try encoding.light(packed: packed, size: framing.size, workers: workers))
  }

  private func add(_ bytes: [UInt8], _ light: CodedContentLight) throws {
    guard !isEnded else { throw FilmError(.badSetting, "the film has ended; begin another") }
    let segment = assembly.command.segment
    if count % segment == 0 {
      if count > 0 { try assembly.end() }
      try assembly.begin(count / segment)
    }
    try assembly.append(bytes, light)
    count += 1
  }

  /// Completes the film, which then has its name.
  public func finish() throws -> FilmReport {
    guard count > 0, !isEnded else {
      throw FilmError(.badSetting, "the film has no frames; nothing was written")
    }
    do {
      try assembly.end(isLast: true)
      let joined = try assembly.join(
        to: destination, of: sources, EncoderCommand.Extras(),
        given: settings.metadata.contentLight)
      isEnded = true
      assembly.work.remove()
      return FilmReport(
        output: destination.url?.path ?? "", coding: settings.description,
        width: framing.size.width, height: framing.size.height, frames: joined.frames,
        rate: rate.description, bytes: joined.bytes, maxCLL: joined.light?.maximum,
        maxFALL: joined.light?.average, resumedFrames: 0, badFrames: [], warnings: [],
        seconds: start.duration(to: .now) / .seconds(1))
    } catch {
      cancel()
      throw error
    }
  }

  /// Ends the work; nothing is written.
  public func cancel() {
    guard !isEnded else { return }
    isEnded = true
    assembly.abort()
    assembly.work.remove()
  }
}
