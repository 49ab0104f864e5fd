import CVector
import Foundation
public import HDRRender
public import ImageCore

/// Sharpens luminance by an unsharp mask in stops, on linear values: all channels get one gain, so
/// that colors do not change.
///
///     L = log2(max(Y, 0) + 1/64),  d = L − Gaussian(L),  t = threshold
///     e = sign(d) · max(|d| − t, 0),  gain = 2^(amount · e / (1 + |e|))
///
/// and the gain is limited so that the largest channel does not exceed the largest channel among
/// the 3 × 3 pixels around it, or white where that is brighter (or the headroom, where that is
/// below white): edges of highlights get no brighter rim. The soft limit of e to one stop keeps
/// dark rims beside highlights narrow. The headroom is unchanged. Amount 0, or σ 0: the picture
/// itself. Units: σ in pixels, threshold in stops. Known failure: dark rims of up to `amount` stops
/// remain beside highlights.
public struct UnsharpMaskFilter: ImageFilter, Hashable {
  /// Standard deviation of the mask, pixels.
  public let sigma: Double
  /// Gain of the detail, 0…4.
  public let amount: Double
  /// Detail below it is unchanged, stops.
  public let threshold: Double

  /// Throws outside σ 0…100, amount 0…4, threshold 0…4.
  public init(sigma: Double, amount: Double, threshold: Double = 0) throws(OperatorError) {
    guard sigma >= 0, sigma <= 100, amount >= 0, amount <= 4, threshold >= 0, threshold <= 4 else {
      throw OperatorError(
        "unsharp mask",
        "sigma \(sigma), amount \(amount), threshold \(threshold); give 0 to 100, 0 to 4, 0 to 4")
    }
    (self.sigma, self.amount, self.threshold) = (sigma, amount, threshold)
  }

  /// `.unsharpMask`.
  public var operation: EditOperation { .unsharpMask }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    let filters = GaussianBlurFilter.filters(sigma: sigma, size: source.size, planes: 1)
    if amount == 0 || filters.isEmpty { return source }
    return UnsharpStage(source: source, filters: filters, edit: self)
  }
}

private struct UnsharpStage: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let filters: [SeparableFilter]
  let edit: UnsharpMaskFilter
  private let pool = BufferPool()

  init(
    source: any PixelSource<DisplayReferred>, filters: [SeparableFilter], edit: UnsharpMaskFilter
  ) {
    (self.source, self.filters, self.edit) = (source, filters, edit)
  }

  var size: PixelSize { source.size }
  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { max(source.bandHeight, highBand) }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    guard !rect.isEmpty else { return }
    let near = rect.expanded(by: 1).intersection(PixelRect(size))
    var needed = filters.reversed().reduce(rect) { $1.sourceRect(of: $0) }
    let (left, top) = (min(needed.x, near.x), min(needed.y, near.y))
    needed = PixelRect(
      x: left, y: top, width: max(needed.endX, near.endX) - left,
      height: max(needed.endY, near.endY) - top)
    try pool.withBuffer(needed.size) { pixels throws(PixelError) in
      try source.read(needed, into: pixels)
      try pool.withBuffer(needed.size) { logs throws(PixelError) in
        let weights = SIMD3<Float>(info.primaries.luminance)
        for y in 0..<needed.height {
          Self.measure(
            pixels.rows(y), weights, log: logs.row(0, y), highest: logs.row(1, y))
        }
        let window = WindowSource(size: size, info: info, buffer: logs, rect: needed)
        let blurred = filters.reduce(window as any PixelSource<DisplayReferred>) {
          SeparableStage(source: $0, filter: $1)
        }
        try pool.withBuffer(rect.size) { mask throws(PixelError) in
          try blurred.read(rect, into: mask)
          sharpen(rect, pixels, logs, needed, mask, into: buffer)
        }
      }
    }
  }

  private static func measure(
    _ row: RGBRows, _ weights: SIMD3<Float>, log: MutableRowView, highest: MutableRowView
  ) {
    let top = SIMD8<Float>(repeating: 0x1p100)
    for x in vectors(row.count) {
      let rgb = row.lanes(x)
      let y = cv_number8(rgb.weighted(weights))
      log.setLanes(x, cv_log2_8(cv_clamp8(y, .zero, top) + Float(1.0 / 64)))
      highest.setLanes(x, rgb.highest)
    }
  }

  private func sharpen(
    _ rect: PixelRect, _ pixels: PlanarBuffer, _ logs: PlanarBuffer, _ from: PixelRect,
    _ mask: PlanarBuffer, into buffer: PlanarBuffer
  ) {
    let (amount, threshold) = (Float(edit.amount), Float(edit.threshold))
    let white = min(1, info.headroom)
    for y in rect.y..<rect.endY {
      let lines = (max(y - 1, 0)...min(y + 1, size.height - 1)).map { logs.row(1, $0 - from.y) }
      let log = logs.row(0, y - from.y)
      let soft = mask.row(0, y - rect.y)
      let out = (0..<3).map { buffer.row($0, y - rect.y) }
      let samples = (0..<3).map { pixels.row($0, y - from.y) }
      let own = logs.row(1, y - from.y)
      for x in rect.x..<rect.endX {
        let (at, to) = (x - from.x, x - rect.x)
        let detail = log[at] - soft[to]
        let rest = max(abs(detail) - threshold, 0)
        var (gain, limit) = (Float(1), Float.infinity)
        if rest > 0 {
          let stops = amount * rest / (1 + rest)
          gain = exp2(detail < 0 ? -stops : stops)
        }
        if gain > 1, own[at] > 0 {
          limit = max(white, own[at])
          for line in lines {
            for near in max(x - 1, 0)...min(x + 1, size.width - 1) {
              limit = max(limit, line[near - from.x])
            }
          }
          if own[at] * gain > limit { gain = limit / own[at] }
        }
        for plane in 0..<3 {
          let value = samples[plane][at]
          out[plane][to] = gain == 1 ? value : min(value * gain, limit)
        }
      }
    }
  }
}

/// The part of a picture that is in `buffer`: only rectangles inside `rect` may be read.
private struct WindowSource: PixelSource {
  typealias State = DisplayReferred

  let size: PixelSize
  let info: DisplayReferred.Info
  let buffer: PlanarBuffer
  let rect: PixelRect

  func read(_ part: PixelRect, into out: PlanarBuffer) throws(PixelError) {
    try out.copy(part, of: buffer, from: PixelPoint(x: rect.x, y: rect.y))
  }
}
