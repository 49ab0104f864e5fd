import ImageCore

/// Positions of the coefficients of a tile of Sony's ARW 6, which the file does not declare.
///
/// A tile stores three components of half its width and height: the green beside blue, red and
/// blue, as wavelets of three levels; and, in the same size, the difference of the other green.
/// Rows are counted on a common canvas for all levels, in rows of a component starting at ``top``.
/// A band of step s has coefficients at the multiples of s, if it is vertically low-pass, or
/// halfway between. Eight rows of the canvas, from row 4 on, form a chunk of the stream, regardless
/// of how many of them a band has; the canvas is aligned so that the first and the last chunk are
/// about equal.
struct SonyARW6Geometry: Sendable {
  /// One of the five parts of the stream, coarsest first: lowest band, three levels of the wavelet,
  /// differences of the green.
  struct Region: Sendable {
    /// Columns of its bands.
    let width: Int
    /// Number of components.
    let components: Int
    /// Its bands in stream order: one, or the horizontal, vertical and diagonal high-pass bands.
    let bands: [Band]
  }

  /// The rows of a band, counted from row 0 of the canvas.
  struct Band: Sendable {
    let rows: Range<Int>
    /// Rows per chunk.
    let perChunk: Int
    /// First row of the first chunk.
    let origin: Int

    /// The rows in chunk `index`.
    func rows(ofChunk index: Int) -> Range<Int> {
      let first = origin + index * perChunk
      return (first..<first + perChunk).clamped(to: rows)
    }
  }

  private static let chunkRows = 8
  private static let chunkOrigin = 4

  /// Columns and rows of a component.
  let size: PixelSize
  /// The canvas row of a component's first row.
  let top: Int

  /// The geometry of a tile of `size`; nil for sizes that no known camera has: widths not divisible
  /// by 16, heights not divisible by 4, less than two chunks, and heights with remainder 0 or 28
  /// modulo 32, for which published decoders align the canvas differently.
  init?(tile size: PixelSize) {
    guard size.width % 16 == 0, size.height % 4 == 0, size.width > 0, size.height >= 32 else {
      return nil
    }
    self.size = PixelSize(width: size.width / 2, height: size.height / 2)
    let part = self.size.height / 2 % Self.chunkRows
    guard part != 0, part != Self.chunkRows - 1 else { return nil }
    top = Self.chunkOrigin + Self.chunkRows - part
  }

  /// Number of chunks with rows of a component.
  var chunks: Int {
    (top + size.height - Self.chunkOrigin + Self.chunkRows - 1) / Self.chunkRows
  }

  /// Region `index`, 0 to 4.
  func region(_ index: Int) -> Region {
    let step = Self.step(index)
    let low = band(step, offset: 0)
    guard (1...3).contains(index) else {
      return Region(width: size.width / step, components: index == 0 ? 3 : 1, bands: [low])
    }
    let high = band(step, offset: step / 2)
    return Region(width: size.width / step, components: 3, bands: [low, high, high])
  }

  /// Whether the output of region `index`, 1 to 3, starts with a row between coarser rows.
  func beginsBetween(_ index: Int) -> Bool {
    Self.position(top, step: Self.step(index) / 2, offset: 0) % 2 == 1
  }

  private static func step(_ index: Int) -> Int { [8, 8, 4, 2, 1][index] }

  /// The first row of a band at or after `row` of the canvas.
  private static func position(_ row: Int, step: Int, offset: Int) -> Int {
    (row - offset + step - 1) / step
  }

  private func band(_ step: Int, offset: Int) -> Band {
    func position(_ row: Int) -> Int { Self.position(row, step: step, offset: offset) }
    return Band(
      rows: position(top)..<position(top + size.height), perChunk: Self.chunkRows / step,
      origin: position(Self.chunkOrigin))
  }
}
