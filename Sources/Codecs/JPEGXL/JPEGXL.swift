internal import CJXL
package import Containers
package import ImageCore
import Synchronization

/// The one owner of libjxl's decoder: one codestream, bare or in its container, to its stored
/// samples. Color tags have no meaning for raw pictures, so samples stay in the codestream's own
/// color space, and its orientation is ignored. One thread.
@safe package final class JPEGXL {
  let jxl: UnsafePointer<CJXLFunctions>
  let decoder: OpaquePointer

  package init() throws(FormatError) {
    unsafe jxl = try JPEGXLLibrary.load().functions
    guard let decoder = unsafe jxl.pointee.JxlDecoderCreate(nil) else {
      throw JPEGXLLibrary.outOfMemory
    }
    unsafe self.decoder = decoder
  }

  deinit { unsafe jxl.pointee.JxlDecoderDestroy(decoder) }

  /// Why none can be decoded on this computer; nil where they can.
  package static var obstacle: String? {
    do {
      _ = try JPEGXLLibrary.load()
      return nil
    } catch { return error.message }
  }

  /// Columns, rows and samples of a pixel.
  package struct Shape: Equatable {
    package let size: PixelSize
    package let samples: Int
  }

  /// Receives parts of rows as they are decoded: first column, row, number of pixels, interleaved
  /// samples.
  package typealias Receiver = (_ x: Int, _ y: Int, _ count: Int, _ samples: UnsafeRawPointer) ->
    Void

  /// The steps that the headers of all parts of one picture may take together (``JPEGXLFrames``);
  /// its parts may be decoded at once.
  package final class HeaderSteps: Sendable {
    private let left: Atomic<Int>

    package init(_ count: Int) { left = Atomic(count) }

    /// How many are left.
    fileprivate var count: Int { left.load(ordering: .relaxed) }

    /// Takes `steps` steps; whether there were as many.
    fileprivate func take(_ steps: Int) -> Bool {
      left.subtract(steps, ordering: .relaxed).newValue >= 0
    }
  }

  @safe private final class Context {
    let receive: Receiver
    init(_ receive: @escaping Receiver) { unsafe self.receive = receive }
  }

  /// Decodes `data` as 16-bit integers, where full scale is 65535 whatever the bits stored, or as
  /// floats. Memory for pixels is allocated once `accepts` returns true for their shape. False when
  /// it does not, or when data are damaged, have alpha or another extra channel, more than one
  /// displayed frame, or headers that exceed the remaining `steps`.
  package func decode(
    _ data: UnsafeRawBufferPointer, asFloats: Bool, _ steps: HeaderSteps,
    accepts: (Shape) -> Bool, receive: @escaping Receiver
  ) -> Bool {
    let events =
      JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
    guard let start = unsafe data.baseAddress?.assumingMemoryBound(to: UInt8.self),
      unsafe jxl.pointee.JxlDecoderSubscribeEvents(decoder, Int32(bitPattern: events))
        == JXL_DEC_SUCCESS,
      unsafe jxl.pointee.JxlDecoderSetKeepOrientation(decoder, 1) == JXL_DEC_SUCCESS,
      unsafe jxl.pointee.JxlDecoderSetCoalescing(decoder, 0) == JXL_DEC_SUCCESS,
      unsafe jxl.pointee.JxlDecoderSetInput(decoder, start, data.count) == JXL_DEC_SUCCESS
    else { return false }
    unsafe jxl.pointee.JxlDecoderCloseInput(decoder)
    let context = unsafe Context(receive)
    return withExtendedLifetime(context) {
      var samples = 0
      while true {
        switch unsafe jxl.pointee.JxlDecoderProcessInput(decoder) {
        case JXL_DEC_BASIC_INFO:
          // Others take as long as the picture, and a few bytes where they are of one color.
          guard let shape = shape, accepts(shape), unsafe Self.isPlain(data, steps) else {
            return false
          }
          samples = shape.samples
        case JXL_DEC_COLOR_ENCODING:
          guard keepsColors() else { return false }
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          guard samples > 0, setOutput(samples, asFloats, context) else { return false }
        case JXL_DEC_FULL_IMAGE: return samples > 0
        default: return false
        }
      }
    }
  }

  /// Whether the first displayed frame is the complete picture, and the frames not displayed, and
  /// patches, take no longer together than it, except for the overhead of as many as can be stored;
  /// and whether there were enough `steps` for their headers.
  private static func isPlain(_ data: UnsafeRawBufferPointer, _ steps: HeaderSteps) -> Bool {
    let allowed = max(steps.count, 0)
    guard var frames = unsafe JPEGXLFrames(data, maxSteps: allowed) else { return false }
    var left = 2 * frames.size.area + JPEGXLFrame.stores * JPEGXLFrame.overhead
    while let frame = frames.next() {
      left -= frame.work
      guard left >= 0, !frame.hasSplines else { return false }
      if frame.isShown {
        return !frame.hasPosition && frame.endsPicture && steps.take(allowed - frames.stepsLeft)
      }
    }
    return false
  }

  /// The shape of a still picture without extra channels; nil for any other.
  private var shape: Shape? {
    var info = JxlBasicInfo()
    guard unsafe jxl.pointee.JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS,
      info.have_animation == 0,
      info.num_extra_channels == 0, info.alpha_bits == 0, info.xsize > 0, info.ysize > 0,
      info.xsize < 1 << 24, info.ysize < 1 << 24
    else { return nil }
    return Shape(
      size: PixelSize(width: Int(info.xsize), height: Int(info.ysize)),
      samples: Int(info.num_color_channels))
  }

  /// Asks for the codestream's own color encoding where libjxl would have to choose one, which is
  /// where samples are stored in XYB.
  private func keepsColors() -> Bool {
    var info = JxlBasicInfo()
    guard unsafe jxl.pointee.JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
      return false
    }
    guard info.uses_original_profile == 0 else { return true }
    var encoding = JxlColorEncoding()
    guard
      unsafe cjxl_color_encoding(
        jxl, decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding) == JXL_DEC_SUCCESS
    else { return true }
    return unsafe jxl.pointee.JxlDecoderSetPreferredColorProfile(decoder, &encoding)
      == JXL_DEC_SUCCESS
  }

  private func setOutput(_ samples: Int, _ asFloats: Bool, _ context: Context) -> Bool {
    var format = JxlPixelFormat(
      num_channels: UInt32(samples), data_type: asFloats ? JXL_TYPE_FLOAT : JXL_TYPE_UINT16,
      endianness: JXL_NATIVE_ENDIAN, align: 0)
    return unsafe jxl.pointee.JxlDecoderSetImageOutCallback(
      decoder, &format,
      { opaque, x, y, count, pixels in
        guard let opaque = unsafe opaque, let pixels = unsafe pixels else { return }
        let context = unsafe Unmanaged<Context>.fromOpaque(opaque).takeUnretainedValue()
        unsafe context.receive(x, y, count, pixels)
      }, unsafe Unmanaged.passUnretained(context).toOpaque()) == JXL_DEC_SUCCESS
  }
}
