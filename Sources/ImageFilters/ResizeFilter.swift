import Foundation
public import HDRRender
public import ImageCore

/// Resizes with the three-lobed Lanczos kernel on linear values.
///
/// Source: L(x) = sinc(x) · sinc(x / 3) for |x| < 3 (Duchon 1979; Turkowski 1990), first along
/// rows, then along columns; reduced by a factor s, the kernel is widened to L(x / s), so that
/// detail too fine for the result does not alias. Areas are aligned: sample i of n lies at (i + ½)
/// · N / n − ½ of N, outside the edge the last sample is repeated. On linear values a highlight of
/// 8 next to a gray of 0.1 would ring by −0.7 and +0.2. So along each axis the result is clamped to
/// the range of the samples under the kernel's main lobe (nearer than s, or 1 when enlarging):
/// nothing rings below the darkest or above the brightest of them, values below 0 and above 1
/// survive, and the headroom is unchanged. Flat areas keep every bit; an axis that keeps its size
/// keeps its samples. Known failures: a single bright pixel is no brighter in an enlarged picture
/// than it was; enlarged detail near the finest that the picture holds loses up to a quarter of its
/// contrast to the bound.
public struct ResizeFilter: ImageFilter, GeometryFilter, Hashable {
  // Not private: such a type is described by an address, and derived identifiers are made of the
  // descriptions of edits.
  enum Target: Hashable {
    case size(PixelSize)
    case longerSide(Int)
  }

  private let target: Target

  /// To exactly `size`. Throws when it has no pixel, or a side above `PixelSize.largestSide`.
  public init(to size: PixelSize) throws(OperatorError) {
    try self.init(.size(size), sides: [size.width, size.height])
  }

  private init(_ target: Target, sides: [Int]) throws(OperatorError) {
    for side in sides where !(1...PixelSize.largestSide).contains(side) {
      throw OperatorError("resize", "a side of \(side) pixels; give 1 to \(PixelSize.largestSide)")
    }
    self.target = target
  }

  /// Reduces the longer side to at most `maxPixelSize` pixels, keeping the aspect ratio; smaller
  /// pictures are unchanged.
  public static func thumbnail(maxPixelSize: Int) throws(OperatorError) -> ResizeFilter {
    try ResizeFilter(.longerSide(maxPixelSize), sides: [maxPixelSize])
  }

  /// `.resize`.
  public var operation: EditOperation { .resize }

  func isNeutral(on size: PixelSize) -> Bool {
    switch target {
    case .size(let target): target == size
    case .longerSide(let limit): max(size.width, size.height) <= limit
    }
  }

  func resultSize(of size: PixelSize) throws(OperatorError) -> PixelSize {
    guard size.width > 0, size.height > 0 else {
      throw OperatorError("resize", "the picture of \(size) is empty; give one with pixels")
    }
    switch target {
    case .size(let target): return target
    case .longerSide(let limit): return size.reduced(longerSide: limit)
    }
  }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    let result = try resultSize(of: source.size)
    if isNeutral(on: source.size) { return source }
    return SeparableStage(
      source: source,
      filter: SeparableFilter(
        columns: .lanczos(
          count: result.width, of: source.size.width, from: 0, length: Double(source.size.width)),
        rows: .lanczos(
          count: result.height, of: source.size.height, from: 0,
          length: Double(source.size.height))))
  }

  func moved(_ map: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
  {
    if size == map.size { return map }
    return try map.resampled(
      columns: .lanczos(
        count: size.width, of: map.size.width, from: 0, length: Double(map.size.width)),
      rows: .lanczos(
        count: size.height, of: map.size.height, from: 0, length: Double(map.size.height)))
  }
}

extension AxisTaps {
  /// `count` results over the interval of `length` samples that starts `from` after the first edge.
  static func lanczos(count: Int, of samples: Int, from: Double, length: Double) -> AxisTaps {
    let step = length / Double(count)
    let scale = max(step, 1)
    return AxisTaps(
      count: count, of: samples, radius: 3 * scale, bound: scale,
      position: { from + (Double($0) + 0.5) * step - 0.5 },
      kernel: { distance in
        let x = abs(distance / scale)
        if x < 1e-9 { return 1 }
        if x >= 3 || x == x.rounded() { return 0 }
        return sin(.pi * x) * sin(.pi * x / 3) * 3 / (.pi * .pi * x * x)
      })
  }
}
