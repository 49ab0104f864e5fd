import ImageCore
import RawDecode
import RawSensor

/// The linear values of a frame at the photosites of the reference.
enum FrameSource: Sendable {
  /// It lies on the reference.
  case still(LinearLevels)
  case moved(MovedFrame)

  /// Whether rows are read that lie elsewhere in the frame.
  var isMoved: Bool { if case .moved = self { true } else { false } }

  /// Fills rows `first` and following, `height` of them, `stride` samples apart: values, NaN where
  /// there are none, and how far each can be trusted beside its own brightness, where its detail
  /// counts or not.
  func read(
    _ first: Int, _ height: Int, into values: UnsafeMutablePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, stride: Int, countsDetail: Bool = true
  ) {
    switch self {
    case .still(let levels):
      for y in 0..<height { levels.fill(row: first + y, into: values + y * stride) }
      trust.update(repeating: 1, count: height * stride)
    case .moved(let frame):
      frame.read(first, height, into: values, trust, stride: stride, countsDetail: countsDetail)
    }
  }
}
