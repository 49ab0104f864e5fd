public import ImageCore

/// The render half of the pipeline: scene-linear BT.2020 light in, display-referred light out.
/// Every pixel by itself, so any rectangle can be rendered at any time.
///
///     scene-linear → tone curve (hue kept) → output primaries → gamut mapping → display-referred
public struct HDRRenderer: Sendable {
  /// The tone curve in use.
  public let curve: ToneCurve
  /// What the output's pixels mean.
  public let info: DisplayReferred.Info

  private let table: ToneTable?
  private let matrix: ColorMatrix
  private let gamut: GamutMapping?

  /// A renderer for a scene whose brightest value is `scenePeak` (1.0 = reference white).
  public init(_ settings: RenderSettings, scenePeak: Float) {
    let curve = ToneCurve(
      peak: Double(scenePeak), headroom: Double(Headroom.ofScene(peak: scenePeak)),
      amount: Double(settings.extendedDynamicRangeAmount), boost: Double(settings.boostAmount),
      shadowBoost: Double(settings.boostShadowAmount))
    self.curve = curve
    let headroom = curve.isLinear ? max(scenePeak, 1) : Float(curve.ceiling)
    info = DisplayReferred.Info(primaries: settings.primaries, headroom: headroom)
    table = curve.isLinear ? nil : ToneTable(curve)
    matrix = ColorMatrix(Primaries.bt2020.conversion(to: settings.primaries))
    gamut =
      settings.isGamutMappingEnabled && !curve.isLinear
      ? GamutMapping(primaries: settings.primaries, headroom: headroom) : nil
  }

  /// Renders the pixels of `buffer` in place.
  package func render(_ buffer: PlanarBuffer) {
    for y in 0..<buffer.size.height {
      let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      let count = buffer.size.width
      table?.apply(r, g, b, count: count)
      matrix.apply(r, g, b, count: count)
      gamut?.apply(r, g, b, count: count)
    }
  }

  /// `scene`, rendered when it is read.
  public func render<Scene: PixelSource<SceneLinear>>(_ scene: Scene) -> Rendition<Scene> {
    Rendition(scene: scene, renderer: self)
  }
}

/// A scene and the renderer that turns it into display light, rectangle by rectangle.
public struct Rendition<Scene: PixelSource<SceneLinear>>: PixelSource {
  /// The picture is display-referred.
  public typealias State = DisplayReferred

  let scene: Scene
  let renderer: HDRRenderer

  /// Columns and rows.
  public var size: PixelSize { scene.size }
  /// Primaries and headroom.
  public var info: DisplayReferred.Info { renderer.info }

  /// Renders `rect` into `buffer`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    scene.read(rect, into: buffer)
    renderer.render(buffer)
  }
}
