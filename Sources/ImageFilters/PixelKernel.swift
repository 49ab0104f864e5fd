public import ImageCore

/// A custom filter: a function of rows of pixels.
///
/// Contract: the function gets `count` linear pixels from `origin` on, including values above 1 and
/// below 0, and overwrites them with its result; nothing is clamped before or after. Its result for
/// a pixel must not depend on the neighbors in the row, since pictures are read in arbitrary
/// rectangles, and it is called from several threads at once. Alpha comes in as 1 and may be set to
/// the weight, 0…1, of the result over the picture; alpha alone is clamped to 0…1, NaN to 0.
public struct PixelKernel: ImageFilter {
  /// Changes a row of pixels: red, green, blue and alpha, all of one length.
  public typealias Body =
    @Sendable (
      _ red: inout MutableSpan<Float>, _ green: inout MutableSpan<Float>,
      _ blue: inout MutableSpan<Float>, _ alpha: inout MutableSpan<Float>, _ origin: PixelPoint
    ) -> Void

  /// The name of the kernel.
  public let name: String
  private let body: Body
  private let growth: Float

  /// `headroomGrowth` times the picture's headroom must bound the channels of the result with alpha
  /// applied; values that are not above 0 are treated as 1.
  public init(name: String, headroomGrowth: Float = 1, body: @escaping Body) {
    self.name = name
    growth = headroomGrowth > 0 ? headroomGrowth : 1
    self.body = body
  }

  /// `.pixelKernel`.
  public var operation: EditOperation { .pixelKernel }

  /// `source` with the filter applied when it is read.
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

  func apply(_ row: RGBRows, at origin: PixelPoint) throws(PixelError) {
    let (channels, count) = ([row.red, row.green, row.blue], row.count)
    try pool.withBuffer(PixelSize(width: count, height: 2)) { work in
      let alpha = work.row(0, 1)
      for x in 0..<count { alpha[x] = 1 }
      for (plane, samples) in channels.enumerated() {
        work.row(plane, 0).update(from: samples, count: count)
      }
      // The rows outlive the call.
      var red = unsafe row.red.buffer.mutableSpan
      var green = unsafe row.green.buffer.mutableSpan
      var blue = unsafe row.blue.buffer.mutableSpan
      var opacity = unsafe alpha.buffer.mutableSpan
      body(&red, &green, &blue, &opacity, origin)
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
