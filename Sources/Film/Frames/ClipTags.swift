import Containers
import ImageCore

/// What a frame of CinemaDNG says of its clip. Source: DNG 1.4, CinemaDNG 1.1: FrameRate (51044),
/// TimeCodes (51043), in the first directory or that of the raw picture.
struct ClipTags: Sendable, Hashable {
  var rate: FrameRate?
  var timecode: Timecode?

  init() {}

  /// The tags of the raw at `path`; none where it has none, or is no TIFF.
  init(path: String) {
    guard let file = try? FileBytes(path: path), let tiff = try? TIFFFile(file) else { return }
    for directory in tiff.directories {
      if rate == nil {
        switch directory[DNGTag.frameRate]?.exifValue {
        case .signedRationals(let values)?: rate = values.first.flatMap { FrameRate($0) }
        case .rationals(let values)?:
          rate = values.first.flatMap {
            Int32(exactly: $0.numerator).flatMap { a in
              Int32(exactly: values[0].denominator).flatMap { FrameRate(SignedRational(a, $0)) }
            }
          }
        default: break
        }
      }
      if timecode == nil, let entry = directory[DNGTag.timeCodes], entry.count <= 8 * 64 {
        timecode = Timecode(entry.bytes)
      }
    }
  }
}
