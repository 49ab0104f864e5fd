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
  /// By camera.
  private var shared: [String: Shared] = [:]
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

  /// What the frames of one camera have in common.
  fileprivate struct Shared: Sendable {
    /// nil where the files state their own.
    var baselineExposure: Float?
    var luminanceNoiseReduction, colorNoiseReduction: Float?
    /// nil where all frames have the same as shot.
    var whiteAsShot: Chromaticity?
    var white: Chromaticity
    var measured: ClipMeasurements?
  }

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
    let count = min(Self.samples, paths.count)
    let spread = (0..<count).map { $0 * (paths.count - 1) / max(count - 1, 1) }
    let frames = Set(spread + ramp.keys.prefix(Self.maxKeys).map(\.frame)).sorted()
    range = ramp.keys[0].settings.extendedDynamicRangeAmount ?? (isHDR ? 1 : 0)
    var found: [String: [Sample]] = [:]
    for (done, frame) in frames.enumerated() {
      progress(0.5 * Double(done) / Double(frames.count))
      guard let opened = try readable(frame) else { continue }
      let filter = try prepared(opened, frame)
      do throws(RAWError) {
        let sample = Sample(
          settings: try filter.resolvedSettings(), white: try filter.resolvedWhite(),
          isStated: filter.statesExposure)
        found[Self.camera(filter), default: []].append(sample)
      } catch { if error.code == .cancelled { throw error } }
    }
    guard !found.isEmpty else {
      throw FilmError(.badInput, "no frame of the clip can be decoded", path: paths.first)
    }
    shared = found.mapValues { Self.shared($0) }
    if shared.values.contains(where: { $0.whiteAsShot != nil }),
      ramp.keys.contains(where: { $0.settings.neutral == .asShot })
    {
      notes.append("the white as shot varies; all frames get the middle of it")
    }
    var peak: Float = 0
    var best: [String: ClipMeasurements] = [:]
    for (done, frame) in frames.enumerated() {
      progress(0.5 + 0.5 * Double(done) / Double(frames.count))
      guard let opened = try readable(frame) else { continue }
      let filter = try prepared(opened, frame)
      do throws(RAWError) {
        let own = try filter.clipMeasurements()
        peak = max(peak, own.peak)
        let camera = Self.camera(filter)
        if best[camera] == nil || done == frames.count / 2 { best[camera] = own }
      } catch { if error.code == .cancelled { throw error } }
    }
    for camera in shared.keys {
      shared[camera]?.measured = best[camera]
      // One tone curve for all.
      shared[camera]?.measured?.peak = peak
    }
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

  /// What one frame says of itself.
  private struct Sample {
    var settings: RAWSettings
    var white: Chromaticity
    var isStated: Bool
  }

  private static func camera(_ filter: RAWFilter) -> String { filter.properties.camera ?? "" }

  /// What samples of one camera say alike, or the middle of what they say.
  private static func shared(_ samples: [Sample]) -> Shared {
    func middle<T: Comparable>(_ values: [T]) -> T? {
      values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
    let (x, y) = (samples.map(\.white.x), samples.map(\.white.y))
    func spread(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
    let white = Chromaticity(x: middle(x) ?? 0.3127, y: middle(y) ?? 0.329)
    return Shared(
      baselineExposure: samples.contains { !$0.isStated }
        ? middle(samples.compactMap(\.settings.baselineExposure)) : nil,
      luminanceNoiseReduction: middle(samples.compactMap(\.settings.luminanceNoiseReductionAmount)),
      colorNoiseReduction: middle(samples.compactMap(\.settings.colorNoiseReductionAmount)),
      whiteAsShot: max(spread(x), spread(y)) > sameWhite ? white : nil, white: white)
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
    if let own = shared[Self.camera(filter)] ?? shared.min(by: { $0.key < $1.key })?.value {
      own.apply(to: &filter.settings)
      filter.clip = own.measured
    }
    filter.outputPrimaries = primaries
    filter.workers = options.threads
    filter.colorMatrix = options.colorMatrix
    filter.lensDatabasePath = options.lensDatabasePath
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
    let cameras = shared.sorted { $0.key < $1.key }.map { camera, own in
      "\(camera) \(own.baselineExposure ?? 0) \(own.luminanceNoiseReduction ?? 0) "
        + "\(own.colorNoiseReduction ?? 0) \(own.white) \(own.measured?.peak ?? 0)"
    }
    return ([ramp.text] + cameras).joined(separator: "\n")
      + "\n\(range ?? -1) \(headroom) \(primaries.rawValue)"
  }
}

extension RawClip.Shared {
  /// Sets what the recipe leaves to the file.
  fileprivate func apply(to settings: inout RAWSettings) {
    settings.baselineExposure = settings.baselineExposure ?? baselineExposure
    settings.luminanceNoiseReductionAmount =
      settings.luminanceNoiseReductionAmount ?? luminanceNoiseReduction
    settings.colorNoiseReductionAmount = settings.colorNoiseReductionAmount ?? colorNoiseReduction
    if settings.neutral == .automatic { settings.neutral = .chromaticity(white) }
    if settings.neutral == .asShot, let whiteAsShot {
      settings.neutral = .chromaticity(whiteAsShot)
    }
  }
}
