import CKernels
import ImageCore

/// The mask of sharpening: 0 on noise, smooth surfaces and saturated pixels, 1 on edges and
/// texture.
///
/// Source: own, after the contrast mask of RawTherapee's capture sharpening (Weyrich 2019).
/// Evidence e of a pixel, from the squared gradient of luminance (Sobel / 8, two parts with 0.1875
/// of white noise's variance each, half as much again after a demosaic) and the variance v of
/// noise:
///
///     v = slope · Y + offset + (0.004 · Y)² + 10⁻⁸        the last two: below visibility
///     e = clamp((gradient² − t² · 0.56 v) / (3 t² · 0.56 v), 0, 1)
///
/// so edges count from t standard deviations of the gradient and fully from 2 t. Then the largest e
/// of 5 × 5 pixels, 0 where a channel reaches 0.95 of the clip level within 3 pixels, mean of 3 ×
/// 3. Known failure: fine texture of less than about five standard deviations stays soft.
struct SharpeningMask: Sendable {
  /// Fraction of the clip level from which a pixel is near saturation.
  static let nearClip: Float = 0.95

  /// Weights below this are treated as 0.
  static let minWeight: Float = 0.03

  let noise: LuminanceNoise
  let threshold: Float
  let clipLevel: Float

  /// Fills `mask`, which covers `cell`, from luminance and largest channel around it. Returns the
  /// part, a multiple of eight wide, outside of which it is below ``minWeight``; nil if empty, with
  /// undefined `mask`. Three `scratch` planes are used.
  func make(
    _ cell: PixelRect, luminance: TilePlane, brightest: TilePlane, into mask: TilePlane,
    _ scratch: [TilePlane]
  ) throws(PixelError) -> PixelRect? {
    let (evidence, rows) = (scratch[0], scratch[1])
    let inner = cell.expanded(by: 1)
    guard try find(inner.expanded(by: 2), luminance, into: evidence) else { return nil }
    try evidence.spreadMaximum(over: inner, radius: 2, through: rows)
    if clipLevel.isFinite, try findClipped(inner.expanded(by: 3), brightest, into: scratch[2]) {
      try scratch[2].spreadMaximum(over: inner, radius: 3, through: rows)
      for y in inner.y..<inner.endY {
        let (out, clipped) = (evidence.row(y).from(2), scratch[2].row(y).from(3))
        let behind = ck_clearRow_behind
        ck_clearRow(
          clipped.kernel(inner.width, behind: behind), out.kernel(inner.width, behind: behind),
          Int64(inner.width))
      }
    }
    try mask.reshape(cell)
    var (left, right, top, bottom) = (cell.width, 0, cell.height, 0)
    for y in cell.y..<cell.endY {
      func row(_ y: Int) -> UnsafeMutablePointer<Float> {
        evidence.row(y).from(3)
          .kernel(cell.width, before: ck_weightRow_before, behind: ck_weightRow_behind)
      }
      var columns = ck_columns()
      ck_weightRow(
        row(y - 1), row(y), row(y + 1), Self.minWeight,
        mask.row(y).kernel(cell.width, behind: ck_weightRow_behind), Int64(cell.width), &columns)
      if columns.end > 0 {
        (left, right) = (min(left, Int(columns.first)), max(right, Int(columns.end)))
        (top, bottom) = (min(top, y - cell.y), y - cell.y + 1)
      }
    }
    guard right > left else { return nil }
    return PixelRect(
      x: cell.x + left, y: cell.y + top, width: right - left, height: bottom - top)
  }

  /// The evidence of `rect`; returns whether any is above 0.
  private func find(_ rect: PixelRect, _ luminance: TilePlane, into out: TilePlane)
    throws(PixelError) -> Bool
  {
    try out.reshape(rect)
    let factor = threshold * threshold * 0.56
    var variance = ck_evidence(
      slope: noise.slope * factor, relative: 0.004 * 0.004 * factor,
      offset: (noise.offset + 1e-8) * factor)
    var any = false
    for y in rect.y..<rect.endY {
      func row(_ y: Int) -> UnsafeMutablePointer<Float> {
        luminance.row(y).from(rect.x - luminance.rect.x)
          .kernel(rect.width, before: ck_evidenceRow_before, behind: ck_evidenceRow_behind)
      }
      ck_evidenceRow(
        &variance, row(y - 1), row(y), row(y + 1),
        out.row(y).kernel(rect.width, behind: ck_evidenceRow_behind), Int64(rect.width), &any)
    }
    return any
  }

  /// The excess of the largest channel of `rect` over the level near saturation; returns whether
  /// any is above 0.
  private func findClipped(
    _ rect: PixelRect, _ brightest: TilePlane, into out: TilePlane
  ) throws(PixelError) -> Bool {
    try out.reshape(rect)
    let limit = clipLevel * Self.nearClip
    var any = false
    for y in rect.y..<rect.endY {
      let row = brightest.row(y).from(rect.x - brightest.rect.x)
      ck_overRow(
        row.kernel(rect.width, behind: ck_overRow_behind), limit,
        out.row(y).kernel(rect.width, behind: ck_overRow_behind), Int64(rect.width), &any)
    }
    return any
  }
}

extension TilePlane {
  /// Dilates `part`, which the plane exceeds by `radius`, 2 or 3, on all sides: each sample becomes
  /// the largest of the square around it; `rows` is scratch.
  func spreadMaximum(over part: PixelRect, radius: Int, through rows: TilePlane) throws(PixelError)
  {
    try rows.reshape(rect)
    func kernel(_ plane: TilePlane, _ y: Int) -> UnsafeMutablePointer<Float> {
      plane.row(y).from(part.x - rect.x)
        .kernel(part.width, before: ck_maximumRow_before, behind: ck_maximumRow_behind)
    }
    let (radius32, count) = (Int32(radius), Int64(part.width))
    for y in part.y - radius..<part.endY + radius {
      ck_maximumRow(kernel(self, y), 1, radius32, kernel(rows, y), count)
    }
    for y in part.y..<part.endY {
      ck_maximumRow(kernel(rows, y), Int64(rows.stride), radius32, kernel(self, y), count)
    }
  }
}
