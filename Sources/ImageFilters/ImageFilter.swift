public import HDRRender
public import ImageCore

/// A filter on finished pictures in linear RGB: validated settings, which can be applied to any
/// picture.
///
/// Laws of every filter whose ``operation`` is HDR-safe: values above 1 and below 0 are preserved,
/// never clamped; neutral settings return the picture itself, bit for bit; any rectangle may be
/// read from any thread, always with the same bits; the headroom of the result bounds its channels.
public protocol ImageFilter: Sendable {
  /// The kind of filter, with its categories.
  var operation: EditOperation { get }
  /// `source` with the filter applied when it is read. Throws where the settings do not fit it.
  func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
}

/// A filter that moves pixels without changing colors, so that a gain map can be moved along.
protocol GeometryFilter: ImageFilter {
  /// Whether a picture of `size` stays as it is.
  func isNeutral(on size: PixelSize) -> Bool
  /// Columns and rows of the result. Throws where the settings do not fit.
  func resultSize(of size: PixelSize) throws(OperatorError) -> PixelSize
  /// `map`, resampled to `size`, after the filter is applied to the picture of size `picture` that
  /// it covers.
  func moved(_ map: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
}

extension PixelSource where State == DisplayReferred {
  /// The picture with `edits` applied in order.
  public func edited(by edits: [any ImageFilter]) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    var result: any PixelSource<DisplayReferred> = self
    for edit in edits { result = try edit.applied(to: result) }
    return result
  }

  /// The picture with `edits` applied in order.
  public func edited(by edits: any ImageFilter...) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    try edited(by: edits)
  }
}
