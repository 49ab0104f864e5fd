import ImageCore
import RawDecode
import RawSensor

/// What is held of a frame until it is merged.
enum HeldFrame: Sendable {
  /// Its samples.
  case stored(SensorData)
  case resampled(ResampledFrame)

  /// Its samples, where they are held.
  var samples: SensorData? { if case .stored(let data) = self { data } else { nil } }

  /// Gives back the memory of the rows above `row`, which are not read again.
  func forget(above row: Int) {
    switch self {
    case .stored(let data): data.samples.forget(above: row)
    case .resampled(let frame): frame.forget(above: row)
    }
  }
}

/// The linear values of a frame at the photosites of the reference.
enum FrameSource: Sendable {
  /// It lies on the reference.
  case still(LinearLevels)
  case moved(MovedFrame)
  /// It was moved, and is kept as it shows what lies on the reference.
  case resampled(ResampledFrame)

  /// Whether rows are read that lie elsewhere in the frame.
  var isMoved: Bool { if case .moved = self { true } else { false } }

  /// Fills rows `first` and following, `height` of them, `stride` samples apart: values, and how
  /// far each can be trusted beside its own brightness, 0 where there are none; of moved frames in
  /// `detail` also as far as the detail around allows, which may be the memory of `trust`. Eight
  /// samples behind the rows are readable. What was kept has the trust that its detail allows.
  func read(
    _ first: Int, _ height: Int, into values: UnsafeMutablePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, detail: UnsafeMutablePointer<Float>?, stride: Int
  ) throws(PixelError) {
    switch self {
    case .still(let levels):
      for y in 0..<height { levels.fill(row: first + y, into: values + y * stride) }
      trust.update(repeating: 1, count: height * stride)
    case .moved(let frame):
      try frame.read(first, height, into: values, trust, detail: detail, stride: stride)
      for y in 0..<height {
        ResampledFrame.round(values + y * stride, (detail ?? trust) + y * stride, count: stride)
      }
    case .resampled(let frame):
      for y in 0..<height {
        frame.read(row: first + y, into: values + y * stride, trust + y * stride)
      }
    }
  }
}
