public import ImageCore

/// An edit of one's own: a function of rows of pixels.
///
/// Contract: the function sees `count` pixels of linear light from `origin` on, light above 1 and
/// below 0 among them, and leaves its result in the same places; nothing is clamped on either side.
/// It must give a pixel the same bits whatever stands beside it, since pictures are cut into
/// rectangles at will, and is called from several threads at once. Alpha comes in as 1 and may be
/// set to the share, 0…1, that the result has over the picture; only alpha is held to 0…1, and 0
/// where it is no number.
public struct PixelKernel: ImageFilter {
  /// Changes a row of pixels: red, green, blue and alpha, all of one length.
  public typealias Body =
    @Sendable (
      _ red: inout MutableSpan<Float>, _ green: inout MutableSpan<Float>,
      _ blue: inout MutableSpan<Float>, _ alpha: inout MutableSpan<Float>, _ origin: PixelPoint
    ) -> Void

  /// What the kernel is called.
  public let name: String
  private let body: Body
  private let growth: Float

  /// `headroomGrowth` times the picture's headroom must bound the channels of the result, alpha
  /// counted; a number that is not above 0 counts as 1.
  public init(name: String, headroomGrowth: Float = 1, body: @escaping Body) {
    self.name = name
    growth = headroomGrowth > 0 ? headroomGrowth : 1
    self.body = body
  }

  /// `.pixelKernel`.
  public var operation: EditOperation { .pixelKernel }

  /// The edit put on `source`.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    RowStage(source, KernelRow(body: body), headroom: source.info.headroom * growth)
  }
}

private struct KernelRow: RowFilter {
  let body: PixelKernel.Body
  private let pool = BufferPool()

  init(body: @escaping PixelKernel.Body) { self.body = body }

  func apply(_ row: RGBRows, at origin: PixelPoint) {
    let (channels, count) = ([row.red, row.green, row.blue], row.count)
    pool.withBuffer(PixelSize(width: count, height: 2)) { work in
      let alpha = work.row(0, 1)
      for x in 0..<count { alpha[x] = 1 }
      for (plane, samples) in channels.enumerated() {
        work.row(plane, 0).update(from: samples, count: count)
      }
      var red = row.red.buffer.mutableSpan
      var green = row.green.buffer.mutableSpan
      var blue = row.blue.buffer.mutableSpan
      var share = alpha.buffer.mutableSpan
      body(&red, &green, &blue, &share, origin)
      for x in 0..<count where alpha[x] != 1 {
        let held = PixelMask.held(alpha[x])
        for (plane, samples) in channels.enumerated() {
          let before = work.row(plane, 0)[x]
          samples[x] = held == 1 ? samples[x] : before + (samples[x] - before) * held
        }
      }
    }
  }
}
