import Export
import Foundation
public import HDRRender
public import ImageCore
import ImageFilters
import Readers
public import Recipes
import Writers

/// Several finished pictures in, one file out, put together in linear light.
///
/// What the output's range is, `DynamicRangeMix` says; the caller chooses its format. In an
/// output of high range every source keeps its light, standard range with its white at 203 cd/m²;
/// for one of standard range each is tone-mapped by itself. Outputs with a gain map get both.
public struct Composer: Sendable {
  /// How the pictures lie.
  public enum Layout: String, Sendable, Hashable, Codable, CaseIterable {
    /// Row by row, each in the middle of a cell, on black.
    case grid
    /// Each over the first.
    case over
  }

  /// What is written.
  public var output: Recipe.Output
  /// How the pictures lie.
  public var layout = Layout.grid
  /// Grid: pictures in a row; nil for all of them.
  public var columns: Int?
  /// Grid: the size of a cell, to which larger pictures are reduced; nil for the largest width and
  /// height.
  public var cell: PixelSize?
  /// Grid: pixels between two cells, 0…4096.
  public var gap = 0
  /// Over: where the first pixel of the upper ones lies.
  public var offset = PixelPoint(x: 0, y: 0)
  /// Over: the share of the upper ones, 0…1.
  public var opacity = 1.0
  /// Threads that render and encode; results do not depend on it.
  public var workers: Int

  /// A composer that writes `output`.
  public init(output: Recipe.Output, workers: Int = 0) {
    self.output = output
    self.workers = workers > 0 ? workers : Parallel.defaultWorkers
  }

  /// Puts the pictures at `inputs` together and writes the result to `target`, whole or not at all.
  public func compose(_ inputs: [String], to target: String) throws(DevelopError) -> PictureReport {
    let start = ContinuousClock.now
    var input = inputs.first ?? ""
    do {
      try output.validate()
      guard !inputs.isEmpty, (1...4096).contains(columns ?? 1), (0...4096).contains(gap) else {
        throw ReadError(
          .badSetting, "a composite takes pictures, 1 to 4096 columns and gaps of 0 to 4096 pixels")
      }
      var images: [StillImage] = []
      var pictures: [DisplayPicture] = []
      for path in inputs {
        input = path
        let image = try StillImage(contentsOf: URL(fileURLWithPath: path))
        images.append(image)
        pictures.append(try image.picture())
      }
      var finished = FinishedPicture(
        picture: try composite(pictures, isHigh: output.isHDR), light: output.light)
      if output.format.hasGainMap { finished.standard = try composite(pictures, isHigh: false) }
      let written = try StillExporter(output.encoding, workers: workers)
        .write(finished, metadata: CaptureMetadata(), to: target)
      return PictureReport(
        inputs: inputs, format: output.format, written: written, notes: images.flatMap(\.notes),
        since: start)
    } catch {
      throw DevelopError(error, path: input)
    }
  }

  private func composite(
    _ pictures: [DisplayPicture], isHigh: Bool
  ) throws -> any PixelSource<DisplayReferred> {
    let layers = pictures.map { picture in
      let rendering =
        isHigh
        ? DisplayRendering(.high, displayHeadroom: picture.contentHeadroom)
        : DisplayRendering(.standard, displayHeadroom: 1)
      return PrimariesConversion(rendering(picture), to: output.primaries)
        as any PixelSource<DisplayReferred>
    }
    switch layout {
    case .over:
      return try layers.dropFirst().reduce(layers[0]) {
        try CompositeFilter($1, at: offset, opacity: opacity).applied(to: $0)
      }
    case .grid: return try grid(layers)
    }
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
    let canvas = Canvas(
      size: PixelSize(
        width: columns * (cell.width + gap) - gap, height: rows * (cell.height + gap) - gap),
      info: DisplayReferred.Info(primaries: output.primaries, headroom: 1))
    var result: any PixelSource<DisplayReferred> = canvas
    for (index, layer) in layers.enumerated() {
      let fitted = try fitted(layer, into: cell)
      let place = PixelPoint(
        x: index % columns * (cell.width + gap) + (cell.width - fitted.size.width) / 2,
        y: index / columns * (cell.height + gap) + (cell.height - fitted.size.height) / 2)
      result = try CompositeFilter(fitted, at: place).applied(to: result)
    }
    return result
  }

  /// `layer`, reduced where it is larger than `cell`.
  private func fitted(
    _ layer: any PixelSource<DisplayReferred>, into cell: PixelSize
  ) throws -> any PixelSource<DisplayReferred> {
    let size = layer.size
    let share = min(
      Double(cell.width) / Double(size.width), Double(cell.height) / Double(size.height))
    if share >= 1 { return layer }
    func side(_ length: Int) -> Int { max(Int((Double(length) * share).rounded()), 1) }
    return try ResizeFilter(to: PixelSize(width: side(size.width), height: side(size.height)))
      .applied(to: layer)
  }
}

/// Black.
private struct Canvas: PixelSource {
  typealias State = DisplayReferred

  let size: PixelSize
  let info: DisplayReferred.Info

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    buffer.reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height { buffer.row(plane, y).update(repeating: 0, count: rect.width) }
    }
  }
}
