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
  /// A moved frame, resampled onto the reference.
  case resampled(ResampledFrame)

  /// Whether rows are read that lie elsewhere in the frame.
  var isMoved: Bool { if case .moved = self { true } else { false } }

  /// Fills rows `first` and following, `height` of them, `stride` samples apart: values, and the
  /// trust in each besides its own brightness, 0 where there is no sample. For moved frames
  /// `detail` gets the trust including the detail around; it may be the memory of `trust`. Eight
  /// samples after the rows are readable. Stored frames have only the trust including detail.
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
