import CKernels
import Foundation
import ImageCore

/// Changes luminance by lines fitted at low resolution (``ChangeLines``).
///
/// Per pixel, with L = log2(max(Y, 2⁻¹²)), slope and offset interpolated linearly between the
/// samples of the map:
///
///     rgb' = rgb · 2^(amount · w · clamp(slope · L + offset, lowest, highest))
///
/// w fades to 0 over some stops below the picture's largest channel value; no channel is raised
/// above it. Scene-linear in and out, 1.0 = reference white, unbounded. Pixels are independent of
/// each other, so no halo is read and any rectangle gives the same bits. Known failure: the map has
/// at most 1024 samples along the longer side, so smaller details change with their surroundings.
struct MappedChange: PixelSource {
  typealias State = SceneLinear

  var size: PixelSize { source.size }
  var info: SceneLinear.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  private let source: any PixelSource<SceneLinear>
  private let lines: InterpolatedLines
  private let kernel: ck_localTone
  private let amount: Float

  /// `lines`: of the same picture, at any size; `kernel`: the bounds of the change.
  init(
    _ source: any PixelSource<SceneLinear>, _ lines: ChangeLines, kernel: ck_localTone,
    amount: Float
  ) {
    self.source = source
    self.lines = InterpolatedLines(lines, for: source.size)
    self.kernel = kernel
    self.amount = amount
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    var kernel = kernel
    let fadeStart = kernel.peak * exp2(-kernel.fade)
    try lines.forEachRow(of: rect) { y, slope, offset in
      let rows = buffer.rows(y)
      ck_localToneRow(
        &kernel, LuminanceGain.channels, fadeStart, amount, info.peak, slope.start, offset.start,
        rows.kernel, Int64(rows.count))
    }
  }
}
