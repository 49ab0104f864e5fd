import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// The camera look fitted to a file's preview.
struct FittedLook: Sendable {
  /// Nil if the standard rendering is used.
  var mapping: CameraLook?
  /// The mapping as a LUT.
  var table: ColorLookup?
  /// A note for the user; nil if the preview is trusted.
  var note: String?
}

extension RAWFilter {
  /// Minimum length in pixels of the longer side of the compared pictures: 8 a cell.
  private static let comparedSide = 480

  /// The mapping of ``RAWLook/camera`` for this file. Decodes the picture and its preview.
  func fittedLook() throws(RAWError) -> FittedLook {
    let standard = standardRendering
    let analysis = Analysis.cameraLook(
      standard.settings, colorMatrix: colorMatrix, profileTables: profileTables)
    return try picture.cache.value(analysis) { () throws(RAWError) in
      guard let comparison = try standard.previewComparison() else {
        return FittedLook(note: Self.withoutPreview)
      }
      return FittedLook(comparison)
    }
  }

  /// Our standard rendering compared with the preview; nil without a decodable preview by the
  /// camera. `counts`: which cells may count.
  func previewCells(
    counts: (_ column: Int, _ row: Int) -> Bool = { _, _ in true }
  ) throws(RAWError) -> PreviewComparison? {
    try standardRendering.previewComparison(counts: counts)
  }

  /// Why the camera's preview is not trusted, if the file has one.
  func previewDoubt() throws(RAWError) -> PreviewComparison.Doubt? {
    let standard = standardRendering
    let analysis = Analysis.previewDoubt(
      standard.settings, colorMatrix: colorMatrix, profileTables: profileTables)
    return try picture.cache.value(analysis) { () throws(RAWError) in
      try standard.previewComparison()?.doubt
    }
  }

  /// The default SDR rendering by the active profile.
  var standardRendering: RAWFilter {
    var filter = self
    filter.settings = settings.standardRendering(profile: rangePair?.standard.name)
    filter.linearSpaceFilter = nil
    filter.outputPrimaries = .srgb
    filter.highlightsWhite = nil
    return filter
  }

  func previewComparison(
    counts: (_ column: Int, _ row: Int) -> Bool = { _, _ in true }
  ) throws(RAWError) -> PreviewComparison? {
    let embedded = previewImage
    guard let embedded, !embedded.isOwn, let preview = DecodedPreview(embedded, of: self) else {
      return nil
    }
    let own = try smallRendering(proportions: preview.size)
    let comparison = PreviewComparison(
      own: own, preview: preview.sums(turned: false), counts: counts)
    guard comparison.doubt == .otherPicture, let turned = preview.other else { return comparison }
    let second = PreviewComparison(own: own, preview: turned, counts: counts)
    return second.doubt == .otherPicture ? comparison : second
  }

  /// A small rendering by these settings, not rotated, in linear sRGB.
  private func smallRendering(proportions: PixelSize) throws(RAWError) -> SummedAreaTable {
    let filter = try resolved()
    let tone = filter.profileTone
    let expansion = filter.highlightExpansion(tone).shown
    let plan = try filter.scenePlan(expansion: expansion)
    let area = picture.file.info.size
    let reduction = max(max(area.width, area.height) / Self.comparedSide, 1)
    let pipeline = try picture.pipeline(plan.sensor, workers: workers)
    var color = plan.color
    let drawn = try RAWError.translating(.sensor) { () throws(PixelError) in
      try pipeline.proxy(reduction: reduction, workers: workers)
    }
    color.profile = try filter.profileColor(
      white: plan.white,
      placement: ProfileColor.Placement(size: drawn.size, crop: PixelRect(area), area: area),
      expansion: expansion)
    return try RAWError.translating(.color) { () throws(PixelError) in
      let scene = ScenePipeline(drawn, color, peak: 1)
      let buffer = try PlanarBuffer(size: scene.size)
      try scene.read(PixelRect(scene.size), into: buffer)
      let renderer = HDRRenderer(
        RenderSettings(primaries: .srgb),
        scenePeak: 1024, profile: tone)
      renderer.render(buffer)
      let part = shownPart(of: buffer.size, proportions: proportions)
      return SummedAreaTable(part.size, white: .infinity) { x, y in
        let rows = buffer.rows(part.y + y)
        let at = part.x + x
        return SIMD3(Double(rows.red[at]), Double(rows.green[at]), Double(rows.blue[at]))
      }
    }
  }

  /// The part that a preview shows of a picture of `size` of the full sensor: the crop, reduced to
  /// the preview's `proportions` about its center if they differ.
  private func shownPart(of size: PixelSize, proportions: PixelSize) -> PixelRect {
    let (crop, area, native) = (cameraCrop, picture.file.info.size, nativeSize)
    var (x, y) = (Double(crop.x) / Double(area.width), Double(crop.y) / Double(area.height))
    var (w, h) = (
      Double(crop.width) / Double(area.width), Double(crop.height) / Double(area.height)
    )
    let ratio =
      Double(proportions.width * native.height) / Double(proportions.height * native.width)
    if ratio > 1.03 {
      (y, h) = (y + h * (1 - 1 / ratio) / 2, h / ratio)
    } else if ratio < 0.97 {
      (x, w) = (x + w * (1 - ratio) / 2, w * ratio)
    }
    func rounded(_ part: Double, _ side: Int) -> Int { Int((part * Double(side)).rounded()) }
    let left = min(rounded(x, size.width), size.width - 1)
    let top = min(rounded(y, size.height), size.height - 1)
    return PixelRect(
      x: left, y: top, width: max(min(rounded(x + w, size.width), size.width) - left, 1),
      height: max(min(rounded(y + h, size.height), size.height) - top, 1))
  }

  static let withoutPreview = """
    look camera: the file holds no readable preview by the camera; rendered as by standard
    """
}

extension FittedLook {
  init(_ comparison: PreviewComparison) {
    let doubt = comparison.doubt
    if let doubt, doubt.isRefusal {
      note = "look camera: the preview \(doubt.reason); rendered as by standard"
      return
    }
    mapping = CameraLookFit.fit(comparison.cells, colors: doubt == nil)
    table = mapping?.table()
    if let doubt {
      note = "look camera: the preview \(doubt.reason); colors are those of standard"
    } else if let cast = mapping?.cast, CameraLookFit.isStrongest(cast) {
      note = "look camera: the color cast of the preview exceeds the limit, as with a filter"
    }
  }
}

/// A decoded preview in the raw's stored orientation, without black bars.
private struct DecodedPreview {
  private let stored: (size: PixelSize, rgb: [UInt8])
  private let colors: PreviewColors
  private let turns: [Orientation]
  private let part: PixelRect

  /// Its size in the raw's stored orientation.
  var size: PixelSize { turns[0].upright(part.size) }

  init?(_ preview: EmbeddedPreview, of filter: RAWFilter) {
    guard let decoded = preview.decode(maxSide: 640) else { return nil }
    stored = decoded
    colors = filter.picture.file.colors(of: preview)
    part = Self.withoutBars(decoded)
    guard part.width >= 60, part.height >= 40 || part.width >= 40 && part.height >= 60 else {
      return nil
    }
    // Previews are oriented as the raw or upright.
    let native = filter.nativeSize
    let back = filter.picture.file.info.orientation.inverse
    let isTurned =
      (decoded.size.width > decoded.size.height) != (native.width > native.height)
      && decoded.size.width != decoded.size.height
    turns =
      isTurned
      ? (back.swapsAxes ? [back] : [.left, .right])
      : (back == .up || back.swapsAxes ? [.up] : [.up, back])
  }

  /// The picture in its most likely orientation, or with `turned` in the alternative one.
  func sums(turned: Bool) -> SummedAreaTable { sums(turned ? turns[turns.count - 1] : turns[0]) }

  /// The picture in the alternative orientation; nil if there is only one.
  var other: SummedAreaTable? { turns.count > 1 ? sums(turned: true) : nil }

  private func sums(_ turn: Orientation) -> SummedAreaTable {
    let white = PreviewComparison.white
    return SummedAreaTable(turn.upright(part.size)) { x, y in
      let point = turn.storedPoint(of: PixelPoint(x: x, y: y), stored: part.size)
      let at = 3 * ((part.y + point.y) * stored.size.width + part.x + point.x)
      return (
        colors.linear(stored.rgb, at: at), stored.rgb[at..<at + 3].contains { $0 >= white }
      )
    }
  }

  /// The part without the black bars that some cameras add; all of it if that is less than half of
  /// a side.
  private static func withoutBars(_ picture: (size: PixelSize, rgb: [UInt8])) -> PixelRect {
    let (width, height) = (picture.size.width, picture.size.height)
    var (rows, columns) = (
      [Int](repeating: 0, count: height), [Int](repeating: 0, count: width)
    )
    for y in 0..<height {
      for x in 0..<width {
        let at = 3 * (y * width + x)
        if max(picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]) > 14 {
          rows[y] += 1
          columns[x] += 1
        }
      }
    }
    func occupied(_ counts: [Int], of across: Int) -> Range<Int> {
      let minimum = max(across / 100, 1)
      guard let first = counts.firstIndex(where: { $0 > minimum }),
        let last = counts.lastIndex(where: { $0 > minimum }), 2 * (last + 1 - first) >= counts.count
      else { return 0..<counts.count }
      return first..<last + 1
    }
    let (x, y) = (occupied(columns, of: height), occupied(rows, of: width))
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }
}
