/// A picture that computes any of its rectangles on demand, on any thread; a pixel has the same
/// bits in every rectangle. An ``Image`` is one, and so is a raw file to be developed, which is
/// never in memory as a whole.
public protocol PixelSource<State>: Sendable {
  /// The meaning of the values.
  associatedtype State: ImageState
  /// Columns and rows.
  var size: PixelSize { get }
  /// Properties of the picture besides its pixels.
  var info: State.Info { get }
  /// The preferred number of rows per read: up to 256 where stages keep the rows that the next read
  /// needs (`ReadingLane`) or read no others, fewer where it only matters that a band stays in the
  /// cache; more where stages would make neighboring rows again for each read.
  var bandHeight: Int { get }
  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it. Where it
  /// throws, the buffer is undefined, and the picture can be read again.
  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError)
}

extension PixelSource {
  /// 256, suited to sources that read neighboring rows.
  public var bandHeight: Int { 256 }
}

/// Rows of a band for a stage that reads around it and stores nothing for the next.
package let highBand = 512
