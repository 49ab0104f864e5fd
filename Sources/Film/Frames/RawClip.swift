import Develop
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Recipes

/// The raws of a clip with what is the same for all of them: measured on samples before the first
/// frame, so that tone, white and noise do not move from frame to frame.
struct RawClip: Sendable {
  /// The settings of each frame.
  private(set) var ramp: SettingsRamp
  private(set) var measured: ClipMeasurements?
  /// Fraction of the headroom that is used.
  private(set) var range: Float?
  /// The largest value of a frame, a ratio to white.
  private(set) var headroom: Float = 1
  /// For people.
  private(set) var notes: [String] = []
  private let paths: [String]
  private let options: FilmOptions
  private let primaries: Primaries
  private let isHDR: Bool
  private let limit: Float?

  /// Frames that are measured, besides key frames.
  private static let samples = 7
  private static let maxKeys = 24
  /// CIE x and y within which whites are the same.
  private static let sameWhite = 0.0005

  /// The raws at `paths` by their recipes. Reads sidecars, and the properties of the first raw and
  /// of key frames.
  init(_ paths: [String], _ options: FilmOptions, _ settings: FilmSettings) throws {
    (self.paths, self.options) = (paths, options)
    (primaries, isHDR) = (settings.primaries, settings.isHDR)
    guard let resolver = options.resolver, let first = paths.first else {
      ramp = try SettingsRamp(RAWSettings())
      limit = nil
      return
    }
    // Rules of folders go by the camera, which is that of the first frame.
    let opened = paths.lazy.compactMap { path in
      (try? Developer.open(path, limits: options.limits)).map { (path, $0) }
    }.first
    guard let opened else {
      throw FilmError(.badInput, "no frame of the clip can be opened", path: first)
    }
    let info = SourceInfo(opened.1, xxh128: "")
    func picture(_ path: String, _ info: SourceInfo) -> RecipeResolver.Picture {
      let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
      return RecipeResolver.Picture(
        path: Array(absolute.utf8), info: info.picture, raw: info.raw, embedded: info.xmp)
    }
    var notes: [String] = []
    let base = try resolver.resolve(picture(opened.0, info))
    notes += base.warnings
    var keys: [(frame: Int, settings: RAWSettings)] = []
    for (index, path) in paths.enumerated() {
      let found = try resolver.layers(of: picture(path, info)).sidecars
      var isKey = found.own != nil
      if case .file? = found.xmp?.origin { isKey = true }
      guard isKey else { continue }
      let own =
        (try? Developer.open(path, limits: options.limits)).map { SourceInfo($0, xxh128: "") }
      let resolved = try resolver.resolve(picture(path, own ?? info))
      notes += resolved.warnings.filter { !notes.contains($0) }
      keys.append((index, resolved.recipe.raw))
    }
    if keys.count > 1 { notes.append("\(keys.count) key frames, by their sidecars") }
    limit = base.recipe.render.headroomLimit
    if keys.isEmpty { keys = [(0, base.recipe.raw)] }
    if keys.contains(where: \.settings.isScene) {
      throw FilmError(
        .badSetting, "look scene is scene-linear, which a film is not; take another look")
    }
    ramp = try SettingsRamp(keys)
    if keys.count > 1 { ramp = try SettingsRamp(whitesResolved(keys)) }
    self.notes = notes
  }

  /// Key frames with whites that can run: chromaticities, where they differ.
  private func whitesResolved(
    _ keys: [(frame: Int, settings: RAWSettings)]
  ) throws -> [(frame: Int, settings: RAWSettings)] {
    guard Set(keys.map(\.settings.neutral)).count > 1 else { return keys }
    return try keys.map { key in
      var (settings, filter) = (key.settings, try open(key.frame))
      filter.settings = settings
      settings.neutral = .chromaticity(try filter.resolvedWhite())
      return (key.frame, settings)
    }
  }

  /// Corrects the exposure of each frame.
  mutating func add(stops: [Float]) { ramp.stops = stops }

  /// The luminance grid of frame `index`; nil where it cannot be read.
  func grid(_ index: Int) throws -> [Float?]? {
    guard let filter = try readable(index) else { return nil }
    do throws(RAWError) { return try filter.luminanceGrid() } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }

  /// Measures samples of the clip; `progress` gets the fraction that is done.
  mutating func measure(_ progress: (Double) -> Void) throws {
    let frames = Set(
      (0..<min(Self.samples, paths.count)).map {
        $0 * (paths.count - 1) / max(min(Self.samples, paths.count) - 1, 1)
      } + ramp.keys.prefix(Self.maxKeys).map(\.frame)
    ).sorted()
    var found: [(settings: RAWSettings, white: Chromaticity, isStated: Bool)] = []
    for (done, frame) in frames.enumerated() {
      progress(0.5 * Double(done) / Double(frames.count))
      guard var filter = try readable(frame) else { continue }
      filter.settings = try ramp.settings(at: frame)
      do throws(RAWError) {
        let (settings, white) = (try filter.resolvedSettings(), try filter.resolvedWhite())
        found.append((settings, white, filter.rawFile.info.baselineExposure != nil))
      } catch { if error.code == .cancelled { throw error } }
    }
    guard !found.isEmpty else {
      throw FilmError(.badInput, "no frame of the clip can be decoded", path: paths.first)
    }
    try fix(found)
    range = ramp.keys[0].settings.extendedDynamicRangeAmount ?? (isHDR ? 1 : 0)
    var (peak, best): (Float, ClipMeasurements?) = (0, nil)
    for (done, frame) in frames.enumerated() {
      progress(0.5 + 0.5 * Double(done) / Double(frames.count))
      guard let filter = try readable(frame) else { continue }
      let prepared = try prepared(filter, frame)
      do throws(RAWError) {
        let own = try prepared.clipMeasurements()
        peak = max(peak, own.peak)
        if best == nil || done == frames.count / 2 { best = own }
      } catch { if error.code == .cancelled { throw error } }
    }
    best?.peak = peak
    measured = best
    for frame in frames {
      guard let opened = try readable(frame) else { continue }
      var filter = try prepared(opened, frame)
      if let limit {
        try filter.limitHeadroom(to: limit)
        range = filter.extendedDynamicRangeAmount
      }
      headroom = try filter.plan().headroom
      return
    }
  }

  /// Sets what samples say alike, or the middle of what they say.
  private mutating func fix(
    _ found: [(settings: RAWSettings, white: Chromaticity, isStated: Bool)]
  ) throws {
    func middle<T: Comparable>(_ values: [T]) -> T { values.sorted()[values.count / 2] }
    var keys = ramp.keys
    let whites = found.map(\.white)
    let spread = max(
      (whites.map(\.x).max() ?? 0) - (whites.map(\.x).min() ?? 0),
      (whites.map(\.y).max() ?? 0) - (whites.map(\.y).min() ?? 0))
    let white = Chromaticity(x: middle(whites.map(\.x)), y: middle(whites.map(\.y)))
    let varies = spread > Self.sameWhite
    for index in keys.indices {
      var settings = keys[index].settings
      if settings.baselineExposure == nil, !found[0].isStated {
        settings.baselineExposure = middle(found.compactMap(\.settings.baselineExposure))
      }
      settings.luminanceNoiseReductionAmount =
        settings.luminanceNoiseReductionAmount
        ?? middle(found.compactMap(\.settings.luminanceNoiseReductionAmount))
      settings.colorNoiseReductionAmount =
        settings.colorNoiseReductionAmount
        ?? middle(found.compactMap(\.settings.colorNoiseReductionAmount))
      if settings.neutral == .automatic || settings.neutral == .asShot && varies {
        settings.neutral = .chromaticity(white)
      }
      keys[index].settings = settings
    }
    if varies, ramp.keys.contains(where: { $0.settings.neutral == .asShot }) {
      notes.append("the white as shot varies; all frames get the middle of it")
    }
    let stops = ramp.stops
    ramp = try SettingsRamp(keys)
    ramp.stops = stops
  }

  private func open(_ index: Int) throws -> RAWFilter {
    try Developer.open(paths[index], limits: options.limits)
  }

  /// A frame that may be damaged.
  private func readable(_ index: Int) throws -> RAWFilter? {
    do { return try open(index) } catch let error as DevelopError {
      if error.kind == .cancelled { throw error }
      return nil
    }
  }

  /// `filter`, of frame `index`, with its settings and what is measured.
  private func prepared(_ filter: RAWFilter, _ index: Int) throws -> RAWFilter {
    var filter = filter
    filter.settings = try ramp.settings(at: index).resolvedForScene
    filter.settings.extendedDynamicRangeAmount = range
    filter.outputPrimaries = primaries
    filter.workers = options.threads
    filter.colorMatrix = options.colorMatrix
    filter.lensDatabasePath = options.lensDatabasePath
    filter.clip = measured
    return filter
  }

  /// The size of frame `index`, upright.
  func size(_ index: Int) throws -> PixelSize {
    try prepared(try open(index), index).outputSize
  }

  /// Frame `index`, developed when it is read, hardly larger than `scale` times its size.
  func picture(
    _ index: Int, scale: (PixelSize) -> Double
  ) throws -> any PixelSource<DisplayReferred> {
    var filter = try prepared(try open(index), index)
    let size = filter.outputSize
    // A little larger than needed, so that the last reduction decides the size.
    let margin = 1.5 / Double(max(min(size.width, size.height), 1))
    let wanted = Double(filter.scaleFactor) * scale(size) * (1 + max(margin, 0.0005))
    if wanted < 0.5 { filter.scaleFactor = Float(wanted) }
    return try filter.rendition()
  }

  /// All that frames depend on, as text.
  var text: String {
    "\(ramp.text)\n\(measured?.peak ?? 0)\n\(range ?? -1) \(headroom) \(primaries.rawValue)"
  }
}
