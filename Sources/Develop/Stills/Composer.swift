import Containers
import Export
public import Formats
import Foundation
import HDRRender
public import ImageCore
public import ImageFilters
import Readers
public import Recipes
import Writers

/// Composes several finished pictures into one file, in linear values.
///
/// `DynamicRangeMix` gives the dynamic range of the result; the caller chooses the format. In an
/// HDR output every source keeps its luminances, with SDR white at 203 cd/m²; for an SDR output
/// each source is tone-mapped separately. Outputs with a gain map get both renditions.
public struct Composer: Sendable {
  /// The arrangement of the pictures.
  public enum Layout: String, Sendable, Hashable, Codable, CaseIterable {
    /// Row by row, each centered in a cell, on black.
    case grid
    /// All over the first one.
    case over
  }

  /// The format of the output and its settings.
  public var output: Recipe.Output
  /// The arrangement of the pictures.
  public var layout = Layout.grid
  /// Filters to apply to each picture first.
  public var edits: [any ImageFilter] = []
  /// Grid: number of pictures in a row, 1…4096; nil for all in one row.
  public var columns: Int?
  /// Grid: the size of a cell, to which larger pictures are reduced; nil for the largest width and
  /// height.
  public var cell: PixelSize?
  /// Grid: pixels between two cells, 0…4096.
  public var gap = 0
  /// Over: position of the upper pictures' first pixel.
  public var offset = PixelPoint(x: 0, y: 0)
  /// Over: opacity of the upper pictures, 0…1.
  public var opacity = 1.0
  /// Number of threads; results do not depend on it.
  public var workers: Int
  /// What each picture may cost, and `maxDecodeBytes` what all may together.
  public var limits = DecodeLimits()
  /// Maximum number of pictures: reading the result uses stack for each.
  public static let maxPictures = 1024

  /// A composer that writes `output`; 0 `workers` are one for each core.
  public init(output: Recipe.Output, workers: Int = 0) {
    self.output = output
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
  }

  /// Composes the pictures at `inputs` and writes the result to `target`, completely or not at all.
  /// A target that is one of them is refused. `progress` gets the fraction that has been rendered,
  /// on any thread.
  public func compose(
    _ inputs: [String], to target: OutputDestination,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(DevelopError) -> PictureReport {
    let start = ContinuousClock.now
    var input = inputs.first ?? ""
    do {
      try output.validate()
      guard (1...Self.maxPictures).contains(inputs.count), (1...4096).contains(columns ?? 1),
        (0...4096).contains(gap),
        [cell?.width ?? 1, cell?.height ?? 1].allSatisfy({ 1...PixelSize.largestSide ~= $0 })
      else {
        throw ReadError(
          .badSetting,
          "a composite takes 1 to \(Self.maxPictures) pictures, 1 to 4096 columns, gaps of 0 to "
            + "4096 pixels and cells of 1 to \(PixelSize.largestSide) by as many")
      }
      let target = try output.checked(
        target, of: Set(inputs.compactMap { FileIdentity(path: $0) }))
      let exporter = try output.exporter(workers: workers)
      var images: [StillImage] = []
      for path in inputs {
        input = path
        images.append(try StillImage(contentsOf: URL(fileURLWithPath: path), limits: limits))
      }
      let samples = images.reduce(0) { $0 + min($1.decodedBytes, 1 << 48) }
      let memory = MemoryEstimate.ofPictures(
        samples: samples, pixels: images.reduce(0) { $0 + $1.size.area }, output: output,
        threads: workers)
      return try MemoryBudget.shared.withRoom(for: memory) {
        var layers: [Layer] = []
        for (path, image) in zip(inputs, images) {
          input = path
          layers.append(try layer(image, path, held: layers.reduce(0) { $0 + $1.bytes }))
        }
        var finished = FinishedPicture(
          picture: try composite(layers.map { ($0.shown, $0.alpha) }).reporting(progress: progress),
          hdrMetadata: output.light)
        if output.format.hasGainMap {
          finished.standard = try composite(
            layers.compactMap { layer in layer.standard.map { ($0, layer.alpha) } })
        }
        let mapped = zip(inputs, images).first { $1.gainMap != nil }?.0
        let written = try exporter.write(
          finished, metadata: try metadata(of: images, by: exporter), to: target,
          whereInfinite: mapped.map { .infiniteGain($0) })
        let notes = zip(images, layers).enumerated().flatMap { index, pair in
          // The lowest is on white.
          pair.0.notes(and: pair.1.notes, isLayer: layout == .over && index > 0)
        }
        return PictureReport(
          inputs: inputs, WrittenPicture(output, written, notes: notes, since: start))
      }
    } catch {
      throw DevelopError(error, path: input)
    }
  }

  /// Of pictures over each other the lowest one's; of a grid what all have in common. Maker notes
  /// and positions within a picture are left out.
  private func metadata(
    of images: [StillImage], by exporter: StillExporter
  ) throws -> CaptureMetadata {
    var metadata =
      layout == .over ? images[0].metadata : .common(to: images.map(\.metadata))
    metadata.makerNote = nil
    let arrangement = "\(columns ?? 0) \(cell?.description ?? "") \(gap) \(offset) \(opacity)"
    let source = NameUUID.text(images.map(\.contentUUID))
    return output.metadata.applied(
      to: metadata.withLensFromXMP.withoutPositions.derived(
        from: source,
        settings: [try output.canonicalText, layout.rawValue, arrangement] + exporter.profileTexts))
  }

  private func composite(
    _ layers: [(picture: any PixelSource<DisplayReferred>, alpha: PixelMask?)]
  ) throws -> any PixelSource<DisplayReferred> {
    let result: any PixelSource<DisplayReferred>
    switch layout {
    case .over:
      // The lowest is on white, like a single picture.
      let white = UniformPicture(
        size: layers[0].picture.size,
        info: DisplayReferred.Info(primaries: output.primaries, headroom: 1), value: 1)
      let lowest = try layers[0].alpha.map {
        try CompositeFilter(layers[0].picture, alpha: $0).applied(to: white)
      }
      result = try layers.dropFirst().reduce(lowest ?? layers[0].picture) {
        try CompositeFilter($1.picture, at: offset, alpha: $1.alpha, opacity: opacity)
          .applied(to: $0)
      }
    case .grid: result = try grid(layers.map(\.picture))
    }
    return try result.edited(by: output.sizeLimit)
  }

  private func grid(
    _ layers: [any PixelSource<DisplayReferred>]
  ) throws -> any PixelSource<DisplayReferred> {
    let sizes = layers.map(\.size)
    let cell =
      cell
      ?? PixelSize(
        width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
    let columns = min(columns ?? layers.count, layers.count)
    let rows = (layers.count + columns - 1) / columns
    let limit = PixelSize.largestSide
    guard (1...limit).contains(cell.width), (1...limit).contains(cell.height),
      columns * (cell.width + gap) <= limit, rows * (cell.height + gap) <= limit
    else {
      throw ReadError(
        .badSetting, "\(columns) by \(rows) cells of \(cell) are too large; give a smaller cell")
    }
    let canvas = UniformPicture(
      size: PixelSize(
        width: columns * (cell.width + gap) - gap, height: rows * (cell.height + gap) - gap),
      info: DisplayReferred.Info(primaries: output.primaries, headroom: 1))
    var result: any PixelSource<DisplayReferred> = canvas
    for (index, layer) in layers.enumerated() {
      let fitted = try fitted(layer, into: cell)
      let position = PixelPoint(
        x: index % columns * (cell.width + gap) + (cell.width - fitted.size.width) / 2,
        y: index / columns * (cell.height + gap) + (cell.height - fitted.size.height) / 2)
      result = try CompositeFilter(fitted, at: position).applied(to: result)
    }
    return result
  }

  /// `layer`, reduced where it is larger than `cell`.
  func fitted(
    _ layer: any PixelSource<DisplayReferred>, into cell: PixelSize
  ) throws -> any PixelSource<DisplayReferred> {
    let size = layer.size
    let scale = min(
      Double(cell.width) / Double(size.width), Double(cell.height) / Double(size.height))
    if scale >= 1 { return layer }
    func side(_ length: Int) -> Int { max(Int((Double(length) * scale).rounded()), 1) }
    return try ResizeFilter(to: PixelSize(width: side(size.width), height: side(size.height)))
      .applied(to: layer)
  }
}
