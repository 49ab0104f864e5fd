/// A picture that makes any of its rectangles on demand, from any thread, always with the same
/// pixels however it is cut. An ``Image`` is one; so is a raw file that is still to be developed,
/// which then never stands in memory as a whole.
public protocol PixelSource<State>: Sendable {
  /// What the numbers mean.
  associatedtype State: ImageState
  /// Columns and rows.
  var size: PixelSize { get }
  /// What is known beside the pixels.
  var info: State.Info { get }
  /// Rows that are best read at a time: more where neighbors are looked at, fewer where a band that
  /// stays in the cache is all that counts.
  var bandHeight: Int { get }
  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  func read(_ rect: PixelRect, into buffer: PlanarBuffer)
}

extension PixelSource {
  /// As for a source that looks at neighbors.
  public var bandHeight: Int { 256 }
}
