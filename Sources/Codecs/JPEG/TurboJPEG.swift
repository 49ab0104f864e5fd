internal import CTurboJPEG
import Containers
package import ImageCore

/// The one owner of a TurboJPEG decompressor. One thread at a time.
@safe package final class TurboJPEG {
  /// What TurboJPEG reports of damaged data.
  package enum Complaint: Sendable, Hashable {
    /// Possibly intended by the writer: stray bytes before a marker, an unknown version of the JFIF
    /// or Adobe segment, a scan that declares some coefficients and has all; libjpeg's message, and
    /// the number of bytes before the end marker. Only the first error is reported: more may
    /// follow.
    case oddity(String, padding: Int)
    /// The data end without an EOI marker; all samples before it may be intact.
    case endMissing
    /// Samples are wrong or missing; libjpeg's message.
    case damaged(String)

    /// What libjpeg's warning `words` means, within whatever other words but numbers.
    package init(warning words: String) {
      if words.contains("Premature end of JPEG file") {
        self = .endMissing
      } else if words.contains("extraneous bytes before marker") {
        let count = words.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        self = .oddity(words, padding: words.contains("marker 0xd9") ? count : 0)
      } else {
        let harmless = ["JFIF revision", "Adobe color transform", "Invalid SOS parameters for seq"]
        let isHarmless = harmless.contains { words.contains($0) }
        self = isHarmless ? .oddity(words, padding: 0) : .damaged(words)
      }
    }
  }

  private let handle: tjhandle

  package init?() {
    guard let handle = unsafe tjInitDecompress() else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe tjDestroy(handle) }

  /// Columns, rows and components of the JPEG in `data`; nil when it is not a JPEG, or a lossless
  /// one.
  package func header(_ data: UnsafeRawBufferPointer) -> (size: PixelSize, components: Int)? {
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(-1))
    let start = unsafe data.baseAddress?.assumingMemoryBound(to: UInt8.self)
    // It fails although it has the size for stray bytes between segments and for subsamplings that
    // TurboJPEG has no name for; both are decoded.
    guard let start = unsafe start,
      unsafe tjDecompressHeader3(
        handle, start, UInt(data.count), &width, &height, &sampling, &space) == 0
        || sampling < 0 || tjGetErrorCode(handle) == TJERR_WARNING.rawValue,
      width > 0, height > 0, space >= 0, unsafe cturbojpeg_is_lossless(handle) == 0
    else { return nil }
    let components =
      switch UInt32(bitPattern: space) {
      case TJCS_GRAY.rawValue: 1
      case TJCS_CMYK.rawValue, TJCS_YCCK.rawValue: 4
      default: 3
      }
    return (PixelSize(width: Int(width), height: Int(height)), components)
  }

  /// Decodes `data` at `size`, which its header or ``scaled(_:maxSide:)`` gave, into `target` with
  /// `components` (1 or 3) bytes a pixel and no padding. False for damaged data.
  package func decode(
    _ data: UnsafeRawBufferPointer, size: PixelSize, components: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let stride = size.width * components
    guard
      let complaint = unsafe decode(
        data, size: size, components: components, stride: stride, rows: target)
    else { return true }
    if case .damaged = complaint { return false }
    // The copy is as long.
    guard data.count < DecodeLimits.standard.maxDecodeBytes,
      let file = try? unsafe FileBytes(Array(data)), let image = JPEGSegments(file)
    else { return false }
    do throws(FormatError) {
      return try unsafe decodeTidied(
        image, size: size, components: components, stride: stride, rows: target) == nil
    } catch { return false }
  }

  /// Decodes `data` at `size`, which its header gave, into rows of `stride` bytes with `components`
  /// (1, 3, or 4 for inks as stored) bytes a pixel; nil on success. More than 500 scans, which only
  /// decompression bombs have, count as damage.
  package func decode(
    _ data: UnsafeRawBufferPointer, size: PixelSize, components: Int, stride: Int,
    rows target: UnsafeMutablePointer<UInt8>
  ) -> Complaint? {
    let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
    guard unsafe run(data, size, components, stride, target, flags) != 0 else { return nil }
    let words =
      unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "no reason given"
    let isWarning = unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue
    return isWarning ? Complaint(warning: words) : .damaged(words)
  }

  private func run(
    _ data: UnsafeRawBufferPointer, _ size: PixelSize, _ components: Int, _ stride: Int,
    _ target: UnsafeMutablePointer<UInt8>, _ flags: Int32
  ) -> Int32 {
    guard let start = unsafe data.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return -1
    }
    let format =
      switch components {
      case 1: TJPF_GRAY.rawValue
      case 4: TJPF_CMYK.rawValue
      default: TJPF_RGB.rawValue
      }
    return unsafe tjDecompress2(
      handle, start, UInt(data.count), target, Int32(clamping: size.width),
      Int32(clamping: stride), Int32(clamping: size.height), format, flags)
  }

  /// The largest size that TurboJPEG can scale a picture of `size` to whose longer side is at most
  /// `maxSide`; the smallest available if none fits.
  package func scaled(_ size: PixelSize, maxSide: Int) -> PixelSize {
    let sizes = reductions(of: size)
    let fitting = sizes.filter { max($0.width, $0.height) <= maxSide }
    return fitting.max { $0.area < $1.area } ?? sizes.min { $0.area < $1.area } ?? size
  }

  /// The smallest size that TurboJPEG can scale a picture of `size` to whose longer side is at
  /// least `minSide`; else `size` itself.
  package func scaled(_ size: PixelSize, minSide: Int) -> PixelSize {
    let fitting = reductions(of: size).filter { max($0.width, $0.height) >= minSide }
    return fitting.min { $0.area < $1.area } ?? size
  }

  /// The sizes that TurboJPEG can scale a picture of `size` to, no larger than it.
  private func reductions(of size: PixelSize) -> [PixelSize] {
    var count = Int32(0)
    guard let factors = unsafe tjGetScalingFactors(&count) else { return [] }
    return (0..<Int(count)).compactMap { index -> PixelSize? in
      let (up, down) = unsafe (Int(factors[index].num), Int(factors[index].denom))
      guard down > 0, up <= down else { return nil }
      return PixelSize(
        width: (size.width * up + down - 1) / down, height: (size.height * up + down - 1) / down)
    }
  }
}
