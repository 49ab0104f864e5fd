import Export
public import Formats
import Foundation
public import HDRRender
public import ImageCore
public import ImageFilters
public import Readers
public import Recipes
import Writers

/// Converts a finished picture to another format.
///
/// An HDR picture (PQ, HLG or with a gain map) keeps all its luminances in an HDR output, and is
/// tone-mapped, not clipped, for an SDR output. An SDR picture keeps its luminances in an HDR
/// output, with white at 203 cd/m² (BT.2408). Colors inside the primaries of the output stay,
/// colors outside are mapped to the gamut surface, and floats hold both
/// (`PrimariesConversion.Outside`).
public struct Converter: Sendable {
  /// The format of the output and its settings.
  public var output: Recipe.Output
  /// Filters to apply first, to both the base and the gain map; the output's maximum size is
  /// applied after them.
  public var edits: [any ImageFilter] = []
  /// How luminances are mapped to the output: `high` with `headroom` nil keeps all of them.
  public var range = DisplayRendering.DynamicRange.high
  /// The display headroom to convert for, a ratio to reference white, at least 1; nil for the
  /// headroom of the picture.
  public var headroom: Double?
  /// The treatment of a gain map where the output holds one.
  public var gainMap: GainMapPolicy
  /// Number of threads; results do not depend on it.
  public var workers: Int

  /// The treatment of a gain map.
  public enum GainMapPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Base and map are preserved where the base fits the output; otherwise `rebuild`.
    case keep
    /// Only the base is converted.
    case drop
    /// A new map is made from the SDR and the HDR rendition of the picture.
    case rebuild
  }

  /// A converter to `output`; 0 `workers` are one for each core.
  public init(
    output: Recipe.Output, headroom: Double? = nil, gainMap: GainMapPolicy = .keep, workers: Int = 0
  ) {
    self.output = output
    self.headroom = headroom
    self.gainMap = gainMap
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
  }

  /// Converts the picture at `input` and writes the result to `target`, completely or not at all.
  /// A target that is the picture itself is refused.
  public func convert(
    _ input: String, to target: OutputDestination
  ) throws(DevelopError) -> PictureReport {
    try convert(try Self.open(input), named: input, to: target)
  }

  /// Opens the picture at `input` without decoding its pixels. `policy` decides how a damaged one
  /// is read.
  public static func open(
    _ input: String, limits: DecodeLimits = DecodeLimits(), policy: ReadPolicy = .whole
  ) throws(DevelopError) -> StillImage {
    do throws(ReadError) {
      return try StillImage(
        contentsOf: URL(fileURLWithPath: input), limits: limits, policy: policy)
    } catch { throw .read(error) }
  }

  /// Converts an opened picture and writes the result to `target`, completely or not at all.
  /// `progress` gets the fraction that has been rendered, on any thread.
  public func convert(
    _ image: StillImage, named input: String, to target: OutputDestination,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(DevelopError) -> PictureReport {
    let start = ContinuousClock.now
    do {
      try output.validate()
      if output.primaries == .camera { throw WriteError.needsRaw }
      if let headroom, !(headroom >= 1) {
        throw ReadError(.badSetting, "headroom is \(headroom); it takes 1 or more")
      }
      let target = try output.checked(target, of: image.sources)
      let exporter = try output.exporter(workers: workers)
      let hasMap = image.gainMap != nil
      // Other formats hold no alpha here: there the picture is composited on white.
      let form =
        image.isTransparent && !(gainMap == .drop && hasMap) ? output.format.alphaForm : nil
      let memory = MemoryEstimate.ofPictures(
        samples: image.decodedBytes, pixels: image.size.area, output: output,
        threads: workers)
      let alphaBytes = form != nil ? MemoryEstimate.ofAlpha(pixels: image.size.area) : 0
      return try MemoryBudget.shared.withRoom(for: memory + alphaBytes) {
        let (picture, alpha) = try decoded(image, form)
        let isMultiplied = form != .straight && image.isMultiplied
        let (shown, opacity) = try edited(picture, alpha, isMultiplied: isMultiplied)
        var finished = try finished(shown, of: image)
        finished.isGray = image.channels == 1
        if let opacity {
          let plane = try AlphaPlane(
            opacity, isMultiplied: isMultiplied || form == .multiplied, workers: workers)
          if plane.isMultiplied, !isMultiplied {
            finished.picture = AlphaScaled(finished.picture, by: opacity, isDivided: false)
          }
          // Many programs write an alpha channel that is opaque, and not all read it.
          finished.alpha = plane.isOpaque ? nil : plane
        }
        finished.picture = finished.picture.reporting(progress: progress)
        let isMadeAnew =
          hasMap && gainMap == .keep && output.format.hasGainMap && finished.gainMap == nil
        var notes =
          isMadeAnew && picture.notes.isEmpty
          ? ["the gain map was made again, for \(output.coding)"] : []
        if finished.hdrMetadata.adaptiveGainCurve == nil, image.adaptiveGainCurve != nil {
          notes.append(
            """
            its gains for displays that show less (HAGC, SMPTE ST 2094-50) were left out: they \
            hold for unchanged light in HEIF, AVIF and PNG
            """)
        }
        let written = try exporter.write(
          finished, metadata: try metadata(of: image, by: exporter), to: target,
          whereInfinite: hasMap && gainMap != .drop ? .infiniteGain(input) : nil)
        return PictureReport(
          inputs: [input],
          WrittenPicture(
            output, written,
            notes: image.notes(and: picture.notes, isLayer: alpha != nil) + notes,
            since: start))
      }
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}

extension Converter {
  /// The edits, and what reduces the picture to the size of the output.
  private var allEdits: [any ImageFilter] {
    get throws { try edits + output.sizeLimit }
  }

  /// The picture, and its alpha where the output has it in that form.
  private func decoded(
    _ image: StillImage, _ form: AlphaForm?
  ) throws -> (picture: DisplayPicture, alpha: (any PixelSource<DisplayReferred>)?) {
    switch form {
    case nil:
      let isBase = image.gainMap != nil && gainMap == .drop
      return (isBase ? try image.basePicture() : try image.picture(), nil)
    case .straight: return try image.coveringLayer()
    case .multiplied, .either:
      return image.isMultiplied ? try image.multipliedLayer() : try image.layer()
    }
  }

  /// A picture and its alpha, if any, after all edits.
  private func edited(
    _ picture: DisplayPicture, _ alpha: (any PixelSource<DisplayReferred>)?, isMultiplied: Bool
  ) throws -> (picture: DisplayPicture, alpha: (any PixelSource<DisplayReferred>)?) {
    let edits = try allEdits
    guard let alpha else { return (try edited(picture, by: edits), nil) }
    var result = TransparentPicture(picture, alpha: alpha, isMultiplied: isMultiplied)
    for edit in edits {
      result =
        edit.operation.categories.contains(.geometry)
        ? try result.moved(by: edit)
        : result.with(try edited(result.picture, by: [edit]))
    }
    return (result.picture, result.alpha)
  }

  /// The renditions of `picture`, decoded from `image` and edited, that the output needs.
  private func finished(
    _ picture: DisplayPicture, of image: StillImage
  ) throws -> FinishedPicture {
    let edits = try allEdits
    func shown(_ rendering: DisplayRendering) -> any PixelSource<DisplayReferred> {
      PrimariesConversion(
        rendering(picture), to: output.primaries, output.encoding.outsidePrimaries)
    }
    let standard = DisplayRendering(range == .clamped ? range : .standard, displayHeadroom: 1)
    guard output.isHDR else { return FinishedPicture(picture: shown(standard)) }
    let wanted = min(headroom ?? picture.contentHeadroom, picture.contentHeadroom)
    let isFull = range == .high && wanted >= picture.contentHeadroom
    let limit = isFull && output.encoding.isFloat ? picture.reach : wanted
    var finished = FinishedPicture(
      picture: shown(DisplayRendering(range, displayHeadroom: limit)), hdrMetadata: output.light)
    if isFull, edits.isEmpty { finished.hdrMetadata = output.light.filled(from: carried(image)) }
    // Of an HDR picture and its own transfer function, wherever its pixels are.
    if isFull, isSameRange(image), [.heif, .avif, .png].contains(output.format.container),
      edits.allSatisfy({ $0.operation.categories.contains(.geometry) })
    {
      finished.hdrMetadata.adaptiveGainCurve = image.adaptiveGainCurve
    }
    guard output.format.hasGainMap else { return finished }
    finished.standard = shown(standard)
    if gainMap == .keep, isFull, output.gainMap == GainMapChoice() {
      let parameters = image.gainMapParameters
      finished.keepGainMap(
        of: picture,
        origin: StoredGainMap.Origin(
          Set(parameters.formats), appleHeadroom: parameters.appleHeadroom,
          makerHeadroom: parameters.maker?.headroom))
    }
    return finished
  }

  /// The metadata of the source, without positions in it where it is turned or edited.
  private func metadata(
    of image: StillImage, by exporter: StillExporter
  ) throws -> CaptureMetadata {
    let edits = try allEdits
    let keepsPositions = image.orientation == .up && edits.isEmpty
    let source = keepsPositions ? image.metadata : image.metadata.withoutPositions
    let settings = [range.rawValue, gainMap.rawValue, "\(headroom ?? 0)", "\(edits)"]
    return output.metadata.applied(
      to: source.withLensFromXMP.derived(
        from: image.contentUUID,
        settings: [try output.canonicalText] + settings + exporter.profileTexts))
  }

  private func edited(
    _ picture: DisplayPicture, by edits: [any ImageFilter]
  ) throws -> DisplayPicture {
    if edits.isEmpty { return picture }
    switch picture.content {
    case .gainMap(let map):
      return DisplayPicture(try map.edited(by: edits, workers: workers))
    case .pixels(let linear):
      let result = try linear.edited(by: edits)
      // A filter changes the declared headroom by the same factor as the headroom of the channels.
      let gain = Double(result.info.headroom) / max(Double(linear.info.headroom), 1e-9)
      return DisplayPicture(
        result, contentHeadroom: picture.contentHeadroom * gain,
        toneHeadroom: picture.toneHeadroom * gain, isAbsolute: picture.isAbsolute)
    }
  }

  /// The HDR metadata of the source that still hold for the output: mastering display and content
  /// volume where the dynamic range is the same, ambient light always. Light levels are measured.
  private func carried(_ image: StillImage) -> HDRMetadata {
    var metadata = image.hdrMetadata
    metadata.contentLight = nil
    if !isSameRange(image) { (metadata.masteringDisplay, metadata.contentVolume) = (nil, nil) }
    return metadata.only(output.format.hdrMetadataFields)
  }
}

extension Converter {
  /// Whether `image` is HDR, and the output has its transfer function.
  private func isSameRange(_ image: StillImage) -> Bool {
    let target = OutputFormat(
      pathExtension: output.format.pathExtension, keeping: image.dynamicRange)
    return image.isHighDynamicRange && target == output.format
  }
}

extension Recipe.Output {
  /// The filter that reduces a picture to the maximum size of the output.
  var sizeLimit: [any ImageFilter] {
    get throws(OperatorError) {
      guard let maxSize else { return [] }
      return [try ResizeFilter.thumbnail(maxPixelSize: maxSize)]
    }
  }
}
