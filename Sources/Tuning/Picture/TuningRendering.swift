import Formats
import HDRRender
import ImageCore
import ImageFilters
import RawFilter
import Recipes
import Writers

/// How the pictures of a session are made. Holds no state but what the raw itself keeps.
struct TuningRendering: Sendable {
  /// The raw at its default settings.
  let base: RAWFilter

  /// Renders copies of `filter`, which use the same caches.
  init(_ filter: RAWFilter) { base = filter }

  /// The raw with the settings that `rawdev develop` uses for a file, in HDR or SDR, in
  /// `primaries`; with `limit`, at most that multiple of reference white anywhere. Where it
  /// `allowsDraft` highlights may come from another white, and `isDraft` says whether they do.
  func filter(
    _ settings: RAWSettings, isHDR: Bool, _ primaries: Primaries, limit: Float?,
    allowsDraft: Bool
  ) throws -> (filter: RAWFilter, isDraft: Bool) {
    var filter = filter(settings, isHDR: isHDR, primaries)
    let isDraft = try allowsDraft && filter.reuseHighlights()
    if let limit { try filter.limitHeadroom(to: limit) }
    return (filter, isDraft)
  }

  /// The exact picture without a limit.
  func filter(_ settings: RAWSettings, isHDR: Bool, _ primaries: Primaries) -> RAWFilter {
    var recipe = Recipe()
    recipe.raw = settings
    recipe.output.format = isHDR ? .avif : .pngSDR
    var filter = base
    filter.settings = recipe.settings(for: recipe.output)
    filter.outputPrimaries = primaries
    filter.keepsReduced = true
    return filter
  }

  /// The picture that `request` asks for, and the scale of the finished picture in it.
  func picture(
    _ request: TuningRequest
  ) throws -> (picture: TuningPicture, scale: Float) {
    let view = try TuningView(request, of: base)
    let isHDR = request.isHDR || request.stopsDown > 0
    let primaries: Primaries =
      request.form == .avif ? .bt2020 : request.isWideGamut ? .displayP3 : .srgb
    var (filter, isDraft) = try filter(
      view.settings, isHDR: isHDR, primaries, limit: request.headroomLimit,
      allowsDraft: request.allowsDraft)
    filter.scaleFactor = view.scale
    let plan = try prepared(filter, keeps: .reduced)
    let rendition = try plan.rendition()
    var displayed: any PixelSource<DisplayReferred> = PartSource(rendition, view.rect)
    if request.form != .avif {
      displayed =
        isHDR
        ? DarkenedSource(displayed, stops: request.stopsDown)
        : RolledOffSource(displayed)
    }
    displayed = try marked(displayed, request, view, filter, plan)
    let bytes = try encoded(displayed, request)
    let picture = TuningPicture(
      bytes: bytes, size: view.rect.size, part: view.part, finishedSize: view.finishedSize,
      headroom: request.form == .avif ? plan.headroom : 1, isDraft: isDraft)
    return (picture, view.scale)
  }

  /// The plan of `filter`, with caches for the next one.
  func prepared(
    _ filter: RAWFilter, keeps: DevelopPlan.Keeping
  ) throws -> DevelopPlan {
    let plan = try filter.plan()
    try Cancellation.check()
    try plan.keep(keeps)
    return plan
  }

  private func encoded(
    _ picture: any PixelSource<DisplayReferred>, _ request: TuningRequest
  ) throws -> [UInt8] {
    let workers = base.workers
    switch request.form {
    case .rgba8:
      return try ScreenPixels(request.isWideGamut ? .displayP3 : .sRGB, workers: workers)
        .rgba8(picture)
    case .jpeg:
      let settings = EncoderSettings(
        .jpeg, request.isWideGamut ? .displayP3 : .sRGB, chroma: .yuv444, quality: 0.92)
      return try JPEGWriter(settings, workers: workers).encode(picture)
    case .avif:
      let settings = EncoderSettings(
        .avif, .bt2100PQ, bits: 10, chroma: .yuv444, quality: 0.85)
      return try HEIFWriter(settings, workers: workers).encode(picture)
    }
  }
}
