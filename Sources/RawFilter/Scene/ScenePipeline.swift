import HDRRender
package import ImageCore
import RawSensor

/// The color of the scene: balanced camera RGB in, scene-linear BT.2020 out, pixel by pixel, for
/// any rectangle of the picture as stored:
///
///     camera RGB → neutral where all channels are clipped
///                → matrix, exposure, shadow bias, or with them the tables of a profile
///                → colors outside of the visible
///                → linear space filter
package struct ScenePipeline: PixelSource {
  package typealias State = SceneLinear

  /// A function of one scene-linear pixel.
  package typealias Filter = @Sendable (SIMD3<Float>) -> SIMD3<Float>

  /// The parameters of these stages.
  struct Color: Sendable {
    /// Nil under the as-shot white, and where nothing is clipped.
    var clippedNeutral: ClippedNeutral?
    /// Balanced camera RGB to scene-linear BT.2020, with exposure and shadow bias.
    var matrix: Matrix3
    /// Added to each channel after `matrix`.
    var offset: Double
    /// Replaces `matrix` and `offset` where a profile has tables.
    var profile: ProfileColor?
    /// Nil for scene-linear pictures, which are not gamut-mapped.
    var gamut: CameraGamut?
    var filter: Filter?
  }

  package let info: SceneLinear.Info
  package var profileColor: ProfileColor? { color.profile }

  private let camera: any PixelSource<CameraRGB>
  private let color: Color
  private let matrix: ColorMatrix

  /// The scene of `camera`, cropped and reduced; `peak`: its largest channel value.
  init(_ camera: any PixelSource<CameraRGB>, _ color: Color, peak: Float) {
    self.camera = camera
    self.color = color
    matrix = ColorMatrix(color.matrix, offset: color.offset)
    info = SceneLinear.Info(peak: peak)
  }

  package var size: PixelSize { camera.size }
  package var bandHeight: Int { camera.bandHeight }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try camera.read(rect, into: buffer)
    for y in 0..<rect.height { apply(buffer.rows(y), x: rect.x, y: rect.y + y) }
  }

  /// Converts camera pixels in place, from column `x` on of row `y` of the picture.
  func apply(_ rows: RGBRows, x: Int, y: Int) {
    color.clippedNeutral?.apply(rows)
    if let profile = color.profile {
      profile.apply(rows, x: x, y: y)
    } else {
      matrix.apply(rows)
    }
    color.gamut?.apply(rows)
    guard let filter = color.filter else { return }
    let (r, g, b) = (rows.red, rows.green, rows.blue)
    for x in 0..<rows.count {
      let out = filter(SIMD3(r[x], g[x], b[x]))
      (r[x], g[x], b[x]) = (out.x, out.y, out.z)
    }
  }
}
