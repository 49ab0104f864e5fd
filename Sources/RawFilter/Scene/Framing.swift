import ImageCore
import RawSensor

/// The crop of the camera's picture and the size that it is reduced to.
struct Framing: Sendable, Hashable {
  /// In pixels of the full resolution.
  var crop: PixelRect
  /// Columns and rows of the result, before orientation.
  var size: PixelSize
  /// Sensor pixels along a pixel of the camera's picture.
  var reduction: Int
  /// The resampling filter.
  var filter = Filter.lanczos

  /// Resampling filters.
  enum Filter: Sendable, Hashable {
    /// ``Resampling``.
    case area
    /// ``LanczosReduction``.
    case lanczos
  }

  /// Whether pixels are copied without resampling.
  var isUnscaled: Bool { reduction == 1 && size == crop.size }

  /// The crop of `source`, reduced to ``size``.
  func applied(to source: any PixelSource<CameraRGB>) -> any PixelSource<CameraRGB> {
    if isUnscaled {
      return crop == PixelRect(source.size) ? source : TrimmedSource(source: source, rect: crop)
    }
    let step = Double(reduction)
    let (x, y) = (Double(crop.x) / step, Double(crop.y) / step)
    let (width, height) = (Double(crop.width) / step, Double(crop.height) / step)
    switch filter {
    case .area:
      let resampling = Resampling(
        size: size, source: source.size, originX: x, originY: y, spanX: width, spanY: height)
      return ResampledSource(source: source, size: size) { rect, buffer, pool throws(PixelError) in
        try resampling.read(rect, from: source, into: buffer, pool: pool)
      }
    case .lanczos:
      let reduction = LanczosReduction(
        size: size, source: source.size, originX: x, originY: y, spanX: width, spanY: height)
      return ResampledSource(source: source, size: size) { rect, buffer, pool throws(PixelError) in
        try reduction.read(rect, from: source, into: buffer, pool: pool)
      }
    }
  }
}

/// A reduced picture.
struct ResampledSource: PixelSource {
  typealias State = CameraRGB

  let source: any PixelSource<CameraRGB>
  let size: PixelSize
  let resample: @Sendable (PixelRect, PlanarBuffer, BufferPool) throws(PixelError) -> Void
  private let pool = BufferPool()

  init(
    source: any PixelSource<CameraRGB>, size: PixelSize,
    resample: @escaping @Sendable (PixelRect, PlanarBuffer, BufferPool) throws(PixelError) -> Void
  ) {
    self.source = source
    self.size = size
    self.resample = resample
  }

  var info: CameraRGB.Info { source.info }
  var bandHeight: Int { max(source.bandHeight, highBand) }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try resample(rect, buffer, pool)
  }
}
