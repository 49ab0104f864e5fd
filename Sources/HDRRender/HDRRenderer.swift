public import ImageCore

/// The render half of the pipeline: scene-linear BT.2020 values in, display-referred values out.
/// Every pixel by itself, so any rectangle can be rendered at any time.
///
///     scene-linear → bends of hue and tone curve → curves and look → output primaries
///                  → gamut mapping → display-referred
///
/// A file's own tone curve is applied in ProPhoto primaries, for which it was designed, by the rule
/// of the DNG specification; the renderer's own in BT.2020.
public struct HDRRenderer: Sendable {
  /// Largest display value at an extended dynamic range amount of 1.
  public let fileHeadroom: Float
  /// Primaries and headroom of the output.
  public let info: DisplayReferred.Info

  private let toneSpace: ColorMatrix?
  private let table: ToneTable?
  private let look: DisplayLookTables?
  private let matrix: ColorMatrix
  private let gamut: GamutMapping?

  /// A renderer for a scene whose brightest value is `scenePeak` (1.0 = reference white).
  public init(_ settings: RenderSettings, scenePeak: Float) {
    self.init(settings, scenePeak: scenePeak, profile: nil)
  }

  /// A renderer for a scene whose brightest value is `scenePeak`, with the tone curve of `profile`
  /// if given, and `look` after it.
  package init(
    _ settings: RenderSettings, scenePeak: Float, profile: ProfileTone?,
    look: DisplayLook = DisplayLook()
  ) {
    let (amount, boost) = (settings.extendedDynamicRangeAmount, settings.boostAmount)
    let isLinear = !(boost > 0)
    var outward = Primaries.bt2020.conversion(to: settings.primaries)
    let ceiling: Double
    if isLinear {
      (toneSpace, table, ceiling) = (nil, nil, Double(max(scenePeak, 1)))
      fileHeadroom = Headroom.ofScene(peak: scenePeak)
    } else if let profile {
      let curve = ProfileToneCurve(
        profile, peak: Double(scenePeak), amount: Double(amount), boost: Double(boost),
        shadowBoost: Double(settings.boostShadowAmount))
      toneSpace = ColorMatrix(ProPhoto.fromBT2020)
      table = ToneTable(curve, look: nil)
      ceiling = curve.ceiling
      fileHeadroom = Float(curve.headroom)
      outward = outward * ProPhoto.toBT2020
    } else {
      let curve = ToneCurve(
        peak: Double(scenePeak), headroom: Double(Headroom.ofScene(peak: scenePeak)),
        amount: Double(amount), boost: Double(boost),
        shadowBoost: Double(settings.boostShadowAmount), look: settings.toneLook)
      table = ToneTable(curve, look: settings.toneLook, boost: Double(boost))
      (toneSpace, ceiling) = (nil, curve.ceiling)
      fileHeadroom = Float(curve.headroom)
    }
    let headroom = Float(ceiling)
    info = DisplayReferred.Info(primaries: settings.primaries, headroom: headroom)
    matrix = ColorMatrix(outward)
    self.look =
      isLinear
      ? nil
      : DisplayLookTables(
        look, toBT2020: profile == nil ? .identity : ProPhoto.toBT2020, ceiling: headroom)
    gamut =
      settings.isGamutMappingEnabled && !isLinear
      ? GamutMapping(primaries: settings.primaries, headroom: headroom) : nil
  }

  /// Renders the pixels of `buffer` in place.
  package func render(_ buffer: PlanarBuffer) {
    for y in 0..<buffer.size.height {
      let rows = buffer.rows(y)
      toneSpace?.apply(rows)
      table?.apply(rows)
      look?.apply(rows)
      matrix.apply(rows)
      gamut?.apply(rows)
    }
  }

  /// `scene` as a rendition, computed when it is read.
  public func render(_ scene: any PixelSource<SceneLinear>) -> Rendition {
    Rendition(scene: scene, renderer: self)
  }
}

/// A scene and its renderer: display-referred pixels, computed rectangle by rectangle.
public struct Rendition: PixelSource {
  /// The picture is display-referred.
  public typealias State = DisplayReferred

  let scene: any PixelSource<SceneLinear>
  let renderer: HDRRenderer

  /// Columns and rows.
  public var size: PixelSize { scene.size }
  /// As the scene's.
  public var bandHeight: Int { scene.bandHeight }
  /// Primaries and headroom.
  public var info: DisplayReferred.Info { renderer.info }

  /// Renders `rect` into `buffer`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try scene.read(rect, into: buffer)
    renderer.render(buffer)
  }
}
