import ImageCore
import RawSensor

/// The crop of the camera's picture and the size that it is reduced to.
struct Framing: Sendable, Hashable {
  /// In pixels of the full resolution.
  var crop: PixelRect
  /// Columns and rows of the result, before it is turned upright.
  var size: PixelSize
  /// Sensor pixels along a pixel of the camera's picture.
  var reduction: Int

  /// Whether each pixel is one of the camera's.
  var isWhole: Bool { reduction == 1 && size == crop.size }

  /// The crop of `source`, reduced to ``size``.
  func applied(to source: any PixelSource<CameraRGB>) -> any PixelSource<CameraRGB> {
    if isWhole {
      return crop == PixelRect(source.size) ? source : TrimmedSource(source: source, rect: crop)
    }
    let step = Double(reduction)
    return ResampledSource(
      source: source,
      resampling: Resampling(
        size: size, source: source.size, originX: Double(crop.x) / step,
        originY: Double(crop.y) / step, spanX: Double(crop.width) / step,
        spanY: Double(crop.height) / step))
  }
}

/// A reduced picture.
struct ResampledSource: PixelSource {
  typealias State = CameraRGB

  let source: any PixelSource<CameraRGB>
  let resampling: Resampling
  private let pool = BufferPool()

  init(source: any PixelSource<CameraRGB>, resampling: Resampling) {
    self.source = source
    self.resampling = resampling
  }

  var size: PixelSize { resampling.size }
  var info: CameraRGB.Info { source.info }
  var bandHeight: Int { max(source.bandHeight, 256) }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    resampling.read(rect, from: source, into: buffer, pool: pool)
  }
}
