internal import CJXL
package import Containers
internal import ImageCore

/// Stills in JPEG XL: color encoding, metadata boxes, upright, on all threads.
extension JPEGXL {
  /// The most bytes, unpacked, of a stored box; nil for kinds that are not stored. A gain map is
  /// already compressed, so that packing saves little, and is held a few times at once.
  private static func maxBytes(of kind: String, in file: FileBytes) -> Int? {
    switch kind {
    case "Exif", "xml ": FormatLimits.textBytes
    case JPEGXLGainMapBundle.box:
      min(
        FormatLimits.jpegXLGainMapBytes, file.limits.maxDecodeBytes / 4,
        max(FormatLimits.textBytes, 4 * file.count))
    default: nil
    }
  }

  /// The color space in which pixels are decoded.
  package enum Target: Sendable {
    /// The encoding of the file.
    case original
    /// Linear BT.2020, for pictures in XYB whose colors only a profile describes.
    case linearBT2020
  }

  /// The type of a decoded sample.
  package enum Sample: Sendable {
    case byte, word, float
  }

  /// The header of `file`; nil when it is damaged before its pixels. Throws above the limits of
  /// boxes, of frames, of pixels of all frames and channels of the first picture, and of time.
  package func stillInfo(_ file: FileBytes) throws(FormatError) -> JPEGXLStillInfo? {
    defer { withExtendedLifetime(file) {} }
    // Where headers take too many steps the profile is not read: libjxl would read one of 256 MiB.
    guard let frames = JPEGXLFrames(of: file) else { return nil }
    let events =
      JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_BOX.rawValue
    guard unsafe start(file.buffer, events, mayEndEarly: false),
      unsafe jxl.pointee.JxlDecoderSetDecompressBoxes(decoder, 1) == JXL_DEC_SUCCESS
    else {
      return nil
    }
    var info: JPEGXLStillInfo?
    var box: Box?
    var texts: [String: [UInt8]] = [:]
    var hasColors = false
    var boxes = file.itemCount(of: "boxes")
    defer { unsafe jxl.pointee.JxlDecoderReset(decoder) }
    // Terminates: libjxl advances in the data with every event.
    events: while true {
      try file.checkReading()
      switch unsafe jxl.pointee.JxlDecoderProcessInput(decoder) {
      case JXL_DEC_BASIC_INFO:
        info = basicInfo()
        if info == nil { break events }
      case JXL_DEC_COLOR_ENCODING:
        if var known = info {
          addColors(&known)
          info = known
          hasColors = true
        }
      case JXL_DEC_BOX:
        try boxes.add()
        keep(box, &texts)
        box = nextBox(texts, file)
      case JXL_DEC_BOX_NEED_MORE_OUTPUT:
        guard let open = box, unsafe open.grow(jxl, decoder) else {
          box = nil
          break events
        }
      case JXL_DEC_SUCCESS:
        keep(box, &texts)
        break events
      default: break events
      }
    }
    guard hasColors else { return nil }
    info?.xmp = texts["xml "]
    info?.exif = texts["Exif"]
    info?.gainMap = texts[JPEGXLGainMapBundle.box]
    info?.cost = try JPEGXLPictureCost(frames, of: file)
    return info
  }

  /// What decoding a picture came to.
  package enum Ending: Sendable {
    case whole
    /// The file ends early; libjxl made of what is there a picture of less detail.
    case cut
    case failed
  }

  /// Decodes the first picture of `file`, which must have the shape of `info`, into rows `stride`
  /// bytes apart, a multiple of 16. It fails when it is damaged, ends early and not `mayEndEarly`,
  /// or the time is over between two events of libjxl, one of which is all pixels.
  package func decodeStill(
    _ file: FileBytes, _ info: JPEGXLStillInfo, _ target: Target, as sample: Sample,
    mayEndEarly: Bool, into rows: UnsafeMutableRawPointer, stride: Int
  ) -> Ending {
    defer { withExtendedLifetime(file) {} }
    let events =
      JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
    guard unsafe start(file.buffer, events, mayEndEarly: mayEndEarly) else { return .failed }
    var isKnown = false
    while !file.clock.isOver {
      switch unsafe jxl.pointee.JxlDecoderProcessInput(decoder) {
      case JXL_DEC_BASIC_INFO:
        guard let found = basicInfo(), found.size == info.size, found.channels == info.channels
        else { return .failed }
        isKnown = true
      case JXL_DEC_COLOR_ENCODING:
        guard isKnown, choose(target, info) else { return .failed }
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        let type =
          switch sample {
          case .byte: JXL_TYPE_UINT8
          case .word: JXL_TYPE_UINT16
          case .float: JXL_TYPE_FLOAT
          }
        var format = JxlPixelFormat(
          num_channels: UInt32(info.channels + (info.hasAlpha ? 1 : 0)), data_type: type,
          endianness: JXL_NATIVE_ENDIAN,
          align: 16)
        var needed = 0
        let (room, overflow) = stride.multipliedReportingOverflow(by: info.size.height)
        guard isKnown, !overflow,
          unsafe jxl.pointee.JxlDecoderImageOutBufferSize(decoder, &format, &needed)
            == JXL_DEC_SUCCESS,
          needed <= room,
          unsafe jxl.pointee.JxlDecoderSetImageOutBuffer(decoder, &format, rows, needed)
            == JXL_DEC_SUCCESS
        else { return .failed }
      case JXL_DEC_FULL_IMAGE: return isKnown ? .whole : .failed
      case JXL_DEC_NEED_MORE_INPUT:
        // libjxl gives nothing before it has the picture at an eighth of its size.
        return unsafe isKnown && jxl.pointee.JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS
          ? .cut : .failed
      default: return .failed
      }
    }
    return .failed
  }

  /// Data that `mayEndEarly` make libjxl ask for more at their end.
  private func start(
    _ data: UnsafeRawBufferPointer, _ events: UInt32, mayEndEarly: Bool
  ) -> Bool {
    unsafe jxl.pointee.JxlDecoderReset(decoder)
    guard let start = unsafe data.baseAddress?.assumingMemoryBound(to: UInt8.self),
      unsafe jxl.pointee.JxlDecoderSetParallelRunner(decoder, JPEGXLLibrary.runner, nil)
        == JXL_DEC_SUCCESS,
      unsafe jxl.pointee.JxlDecoderSubscribeEvents(decoder, Int32(bitPattern: events))
        == JXL_DEC_SUCCESS,
      unsafe jxl.pointee.JxlDecoderSetInput(decoder, start, data.count) == JXL_DEC_SUCCESS
    else { return false }
    if !mayEndEarly { unsafe jxl.pointee.JxlDecoderCloseInput(decoder) }
    return true
  }

  private func basicInfo() -> JPEGXLStillInfo? {
    var info = JxlBasicInfo()
    guard unsafe jxl.pointee.JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS,
      info.xsize > 0,
      info.ysize > 0, info.num_color_channels == 1 || info.num_color_channels == 3
    else { return nil }
    var still = JPEGXLStillInfo()
    still.size = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
    still.bits = Int(info.bits_per_sample)
    still.isFloat = info.exponent_bits_per_sample > 0
    still.channels = Int(info.num_color_channels)
    still.intensityTarget = Double(info.intensity_target)
    still.minimumNits = Double(info.min_nits)
    still.isXYB = info.uses_original_profile == 0
    still.hasAlpha = info.alpha_bits > 0
    still.isPremultiplied = info.alpha_premultiplied != 0
    still.extraChannels = Int(info.num_extra_channels)
    still.isAnimated = info.have_animation != 0
    for index in 0..<min(still.extraChannels, 4096) {
      var extra = JxlExtraChannelInfo()
      guard
        unsafe jxl.pointee.JxlDecoderGetExtraChannelInfo(decoder, index, &extra) == JXL_DEC_SUCCESS
      else {
        return nil
      }
      if extra.type == JXL_CHANNEL_BLACK { still.hasBlack = true }
    }
    return still
  }

  private func addColors(_ info: inout JPEGXLStillInfo) {
    var found = JxlColorEncoding()
    if unsafe cjxl_color_encoding(
      jxl, decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &found) == JXL_DEC_SUCCESS,
      found.color_space == JXL_COLOR_SPACE_RGB || found.color_space == JXL_COLOR_SPACE_GRAY,
      found.transfer_function != JXL_TRANSFER_FUNCTION_UNKNOWN
    {
      func point(_ xy: (Double, Double)) -> Chromaticity { Chromaticity(x: xy.0, y: xy.1) }
      info.encoding = .init(
        isGray: found.color_space == JXL_COLOR_SPACE_GRAY, white: point(found.white_point_xy),
        red: point(found.primaries_red_xy), green: point(found.primaries_green_xy),
        blue: point(found.primaries_blue_xy),
        transfer: UInt16(truncatingIfNeeded: found.transfer_function.rawValue),
        gamma: found.gamma)
      return
    }
    var count = 0
    guard
      unsafe cjxl_icc_size(jxl, decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &count)
        == JXL_DEC_SUCCESS, count > 0, count <= FormatLimits.textBytes
    else { return }
    var profile = [UInt8](repeating: 0, count: count)
    if unsafe cjxl_icc_profile(
      jxl, decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &profile, count) == JXL_DEC_SUCCESS
    {
      info.profile = profile
    }
  }

  /// Samples in XYB are converted to any color space; all others stay as stored.
  private func choose(_ target: Target, _ info: JPEGXLStillInfo) -> Bool {
    guard info.isXYB else { return true }
    var encoding = JxlColorEncoding()
    switch target {
    case .original:
      guard
        unsafe cjxl_color_encoding(
          jxl, decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding) == JXL_DEC_SUCCESS
      else { return false }
    case .linearBT2020:
      encoding.color_space =
        info.channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
      encoding.white_point = JXL_WHITE_POINT_D65
      encoding.primaries = JXL_PRIMARIES_2100
      encoding.transfer_function = JXL_TRANSFER_FUNCTION_LINEAR
      encoding.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    }
    return unsafe jxl.pointee.JxlDecoderSetPreferredColorProfile(decoder, &encoding)
      == JXL_DEC_SUCCESS
  }

  /// A metadata box that is being read.
  @safe private final class Box {
    let kind: String
    private let maxBytes: Int
    var bytes: UnsafeMutableRawBufferPointer

    /// Up to `maxBytes` bytes.
    init(_ kind: String, maxBytes: Int) {
      (self.kind, self.maxBytes) = (kind, maxBytes)
      unsafe bytes = .allocate(byteCount: 1 << 16, alignment: 16)
    }
    deinit { unsafe bytes.deallocate() }

    func open(_ jxl: UnsafePointer<CJXLFunctions>, _ decoder: OpaquePointer, from filled: Int = 0)
      -> Bool
    {
      guard let start = unsafe bytes.baseAddress else { return false }
      return unsafe jxl.pointee.JxlDecoderSetBoxBuffer(
        decoder, start.assumingMemoryBound(to: UInt8.self) + filled, bytes.count - filled)
        == JXL_DEC_SUCCESS
    }

    func grow(_ jxl: UnsafePointer<CJXLFunctions>, _ decoder: OpaquePointer) -> Bool {
      let filled = unsafe bytes.count - jxl.pointee.JxlDecoderReleaseBoxBuffer(decoder)
      guard unsafe bytes.count < maxBytes, unsafe filled <= bytes.count else { return false }
      let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
        byteCount: min(maxBytes, bytes.count * 4), alignment: 16)
      unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<filled]))
      unsafe bytes.deallocate()
      unsafe bytes = larger
      return unsafe open(jxl, decoder, from: filled)
    }
  }

  /// Starts to read the current box, if it is the first of a stored kind.
  private func nextBox(_ texts: [String: [UInt8]], _ file: FileBytes) -> Box? {
    var type: JxlBoxType = (0, 0, 0, 0)
    guard unsafe jxl.pointee.JxlDecoderGetBoxType(decoder, &type, 1) == JXL_DEC_SUCCESS else {
      return nil
    }
    let letters = [type.0, type.1, type.2, type.3].map { UInt8(truncatingIfNeeded: $0) }
    let kind = String(decoding: letters, as: UTF8.self)
    guard let maxBytes = Self.maxBytes(of: kind, in: file), texts[kind] == nil else { return nil }
    let box = Box(kind, maxBytes: maxBytes)
    return unsafe box.open(jxl, decoder) ? box : nil
  }

  private func keep(_ box: Box?, _ texts: inout [String: [UInt8]]) {
    guard let box else { return }
    let filled = unsafe box.bytes.count - jxl.pointee.JxlDecoderReleaseBoxBuffer(decoder)
    if filled > 0, unsafe filled <= box.bytes.count {
      texts[box.kind] = unsafe Array(box.bytes[..<filled])
    }
  }
}
