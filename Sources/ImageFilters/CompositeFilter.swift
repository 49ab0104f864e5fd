public import HDRRender
public import ImageCore

/// Composites a foreground onto the picture, on linear values, each channel independently.
///
///     over      f            plus      b + f
///     maximum   max(b, f)    minimum   min(b, f)    multiply   b · f
///
/// b the picture, f the foreground, r the result of the mode, α alpha times opacity; the output is
/// b + (r − b) · α, exactly b at α = 0 and outside f, exactly r at α = 1. Only alpha is clamped, to
/// 0…1. Colors of f are converted to the picture's primaries without gamut mapping. f is not
/// premultiplied. Opacity or alpha 0 everywhere, or f outside the picture: the picture itself.
public struct CompositeFilter: ImageFilter {
  /// How two pixels combine.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// The foreground.
    case over
    /// Their sum.
    case plus
    /// The larger value of each channel.
    case maximum
    /// The smaller value of each channel.
    case minimum
    /// Their product.
    case multiply
  }

  let foreground: any PixelSource<DisplayReferred>
  let offset: PixelPoint
  let mode: Mode
  let alpha: PixelMask?
  let opacity: Float

  /// - Parameters:
  ///   - foreground: the picture that is laid over the filtered one.
  ///   - offset: position in the picture of the first pixel of `foreground`, within ±2^24.
  ///   - mode: how the two are combined.
  ///   - alpha: of the size of `foreground`; nil is opaque.
  ///   - opacity: 0…1.
  public init(
    _ foreground: any PixelSource<DisplayReferred>, at offset: PixelPoint = PixelPoint(x: 0, y: 0),
    mode: Mode = .over, alpha: PixelMask? = nil, opacity: Double = 1
  ) throws(OperatorError) {
    guard abs(offset.x.clamped) <= 1 << 24, abs(offset.y.clamped) <= 1 << 24 else {
      throw OperatorError("composite", "an offset of \(offset); give one within 2^24")
    }
    guard alpha.map({ $0.size == foreground.size }) ?? true else {
      throw OperatorError("composite", "alpha has another size; give one of \(foreground.size)")
    }
    guard opacity >= 0, opacity <= 1 else {
      throw OperatorError("composite", "an opacity of \(opacity); give 0 to 1")
    }
    self.foreground = foreground
    self.offset = offset
    self.mode = mode
    self.alpha = alpha
    self.opacity = Float(opacity)
  }

  /// `.composite`.
  public var operation: EditOperation { .composite }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    let stage = CompositeStage(source, self)
    return opacity == 0 || alpha?.isEmpty ?? false || stage.area.isEmpty ? source : stage
  }
}

extension Int {
  /// The value, or `max` for `min`, whose magnitude overflows.
  fileprivate var clamped: Int { self == .min ? .max : self }
}

private struct CompositeStage: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let foreground: any PixelSource<DisplayReferred>
  let edit: CompositeFilter
  /// Where the foreground lies in the picture.
  let area: PixelRect
  let info: DisplayReferred.Info
  private let pool = BufferPool()

  init(_ source: any PixelSource<DisplayReferred>, _ edit: CompositeFilter) {
    self.source = source
    self.edit = edit
    let primaries = source.info.primaries
    foreground = PrimariesConversion(edit.foreground, to: primaries, .kept)
    area = PixelRect(
      x: edit.offset.x, y: edit.offset.y, width: foreground.size.width,
      height: foreground.size.height
    ).intersection(PixelRect(source.size))
    let (b, f) = (source.info.headroom, foreground.info.headroom)
    let top: Float =
      switch edit.mode {
      case .over, .maximum: max(b, f)
      case .plus: b + max(f, 0)
      case .minimum: b
      case .multiply: max(b, b * f)
      }
    // Where both ends differ in sign, b + (r − b) α rounds.
    info = DisplayReferred.Info(
      primaries: primaries, headroom: top,
      sources: source.info.sources.union(foreground.info.sources))
  }

  var size: PixelSize { source.size }
  var bandHeight: Int { max(source.bandHeight, foreground.bandHeight) }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    let common = rect.intersection(area)
    if common.isEmpty { return }
    let from = PixelRect(
      x: common.x - edit.offset.x, y: common.y - edit.offset.y, width: common.width,
      height: common.height)
    try pool.withBuffer(from.size) { upper throws(PixelError) in
      try foreground.read(from, into: upper)
      try pool.withBuffer(PixelSize(width: from.width, height: 1)) { work in
        let weight = work.row(0, 0)
        for y in 0..<common.height {
          for x in 0..<common.width { weight[x] = 1 }
          edit.alpha?.read(
            at: PixelPoint(x: from.x, y: from.y + y), count: from.width, into: weight)
          for plane in 0..<3 {
            mix(
              buffer.row(plane, common.y - rect.y + y).from(common.x - rect.x),
              upper.row(plane, y), weight, count: common.width)
          }
        }
      }
    }
  }

  private func mix(
    _ lower: MutableRowView, _ upper: MutableRowView,
    _ alpha: MutableRowView, count: Int
  ) {
    let opacity = edit.opacity
    for x in 0..<count {
      let (b, f) = (lower[x], upper[x])
      let result: Float =
        switch edit.mode {
        case .over: f
        case .plus: b + f
        case .maximum: f > b ? f : b
        case .minimum: f < b ? f : b
        case .multiply: b * f
        }
      lower[x] = Self.between(b, result, alpha[x] * opacity)
    }
  }

  /// Exactly one of both at 0 and 1, never outside them.
  static func between(_ a: Float, _ b: Float, _ weight: Float) -> Float {
    if weight <= 0 { return a }
    if weight >= 1 { return b }
    let mixed = a + (b - a) * weight
    return a < b ? min(mixed, b) : max(mixed, b)
  }
}
