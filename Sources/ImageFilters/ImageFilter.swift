public import HDRRender
public import ImageCore

/// An edit of a finished picture in linear light: settings that are in order, to be put on any
/// picture.
///
/// Laws of every edit whose ``operation`` is HDR-safe: light above 1 and below 0 is kept, never
/// clamped; settings that change nothing give the picture itself, bit for bit; any rectangle may be
/// read from any thread, always with the same bits; the headroom of the result bounds its channels
/// as that of the picture did.
public protocol ImageFilter: Sendable {
  /// What the edit does, for questions about it.
  var operation: EditOperation { get }
  /// `source` edited. Throws where the settings do not fit it.
  func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
}

/// An edit that moves light without changing it, so that a gain map can be moved with its picture.
protocol GeometryFilter: ImageFilter {
  /// Whether a picture of `size` stays as it is.
  func isNeutral(on size: PixelSize) -> Bool
  /// Columns and rows of the result. Throws where the settings do not fit.
  func resultSize(of size: PixelSize) throws(OperatorError) -> PixelSize
  /// `map` after the edit of the `picture` over which it is stretched, in `size`.
  func moved(_ map: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
}

extension PixelSource where State == DisplayReferred {
  /// The picture after `edits`, the first of them first.
  public func edited(by edits: [any ImageFilter]) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    var result: any PixelSource<DisplayReferred> = self
    for edit in edits { result = try edit.applied(to: result) }
    return result
  }

  /// The picture after `edits`, the first of them first.
  public func edited(by edits: any ImageFilter...) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    try edited(by: edits)
  }
}
