package import HDRRender
package import ImageCore

/// The colour half of the pipeline: balanced camera RGB in, scene-linear BT.2020 out. Every stage in
/// order, for any rectangle of the picture as stored:
///
///     camera RGB → crop and reduction → neutral where all clipped
///                → matrix, exposure, shadow bias, or with them the tables of a profile
///                → linear space filter
package struct ScenePipeline: PixelSource {
  package typealias State = SceneLinear

  /// A function of one scene-linear pixel.
  package typealias Filter = @Sendable (SIMD3<Float>) -> SIMD3<Float>

  package let camera: any PixelSource<CameraRGB>
  /// The part of the camera's picture that is shown.
  let crop: PixelRect
  /// Nil for every camera pixel of the crop.
  let resampling: Resampling?
  let neutral: ClippedNeutral?
  let matrix: ColorMatrix
  /// Does the work of `matrix` where a profile has tables.
  var profileColor: ProfileColor?
  let filter: Filter?
  /// Whether the camera's picture has saturated channels.
  let isClipped: Bool
  package let info: SceneLinear.Info
  private let pool = BufferPool()

  package init(
    camera: any PixelSource<CameraRGB>, crop: PixelRect, resampling: Resampling?,
    clippedNeutral: (ceiling: Float, neutral: SIMD3<Double>)?, matrix: ColorMatrix,
    profileColor: ProfileColor? = nil, filter: Filter?, peak: Float, isClipped: Bool = false
  ) {
    self.camera = camera
    self.crop = crop
    self.resampling = resampling
    neutral = clippedNeutral.map { ClippedNeutral(ceiling: $0.ceiling, neutral: $0.neutral) }
    self.matrix = matrix
    self.profileColor = profileColor
    self.filter = filter
    self.isClipped = isClipped
    info = SceneLinear.Info(peak: peak)
  }

  package var size: PixelSize { resampling?.size ?? crop.size }
  package var bandHeight: Int {
    resampling == nil ? camera.bandHeight : max(camera.bandHeight, 256)
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    if let resampling {
      resampling.read(rect, from: camera, into: buffer, pool: pool)
    } else {
      camera.read(
        PixelRect(
          x: crop.x + rect.x, y: crop.y + rect.y, width: rect.width, height: rect.height),
        into: buffer)
    }
    for y in 0..<rect.height {
      let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      neutral?.apply(r, g, b, count: rect.width)
      if let profileColor {
        profileColor.apply(r, g, b, count: rect.width, x: rect.x, y: rect.y + y)
      } else {
        matrix.apply(r, g, b, count: rect.width)
      }
      if let filter {
        for x in 0..<rect.width {
          let out = filter(SIMD3(r[x], g[x], b[x]))
          (r[x], g[x], b[x]) = (out.x, out.y, out.z)
        }
      }
    }
  }
}
