import Codecs
import Containers
import ImageCore

// The pixels of one JPEG image, decoded by TurboJPEG at full size. A picture whose data end early
// or are inconsistent is read as the policy allows; harmless anomalies are ignored.

extension JPEGSegments {
  /// The frame header, if it is supported, within the limits and plausible for the length of the
  /// data. Throws before any memory is allocated.
  func decodableFrame(_ policy: ReadPolicy) throws(ReadError) -> JPEGFrame {
    if let excess { throw ReadError(excess, path: file.path) }
    guard !isJPEGLS else {
      throw ReadError(
        .unsupported, "this is a JPEG-LS, which is not supported; convert it to PNG or TIFF first",
        path: file.path)
    }
    guard let frame else { throw damaged("its header is incomplete") }
    try frame.check(path: file.path)
    guard let scan else { throw damaged("it is truncated before the end of its pixels") }
    let limits = file.limits
    guard frame.size.area <= limits.maxPixels else {
      throw ReadError(limits.tooManyPixels(frame.size), path: file.path)
    }
    let samples = DecodedSamples.bytes(
      frame.size, channels: frame.components, .codes(bits: 8))
    guard samples + coefficientBytes(of: frame) <= limits.maxDecodeBytes else {
      throw ReadError(
        .tooLarge,
        "decoding takes more than the limit of \(limits.maxDecodeBytes) bytes; raise the limit",
        path: file.path, remedies: [.allowMemory])
    }
    guard policy.reads(.jpegData) || !endsEarly(frame, scan) else {
      throw damaged("it is truncated before the end of its pixels")
    }
    guard !hasTooManyScans(for: frame) else {
      throw damaged("it has too many scans for its length")
    }
    return frame
  }

  /// The samples of the picture, 8 bits in 1, 3 or 4 channels; reduced by the decoder while the
  /// longer side is at least `minSide`, where given.
  func decode(
    _ policy: ReadPolicy = .whole, minSide: Int? = nil
  ) throws(ReadError) -> DecodedSamples {
    let frame = try decodableFrame(policy)
    try ReadError.translating { () throws(FormatError) in try file.checkReading() }
    guard let decoder = TurboJPEG() else {
      throw ReadError(.tooLarge, "there is not enough memory for a JPEG decoder", path: file.path)
    }
    guard let header = unsafe decoder.header(bytes), header.size == frame.size,
      header.components == frame.components
    else { throw damaged("its header is inconsistent") }
    let size = minSide.map { decoder.scaled(frame.size, minSide: $0) } ?? frame.size
    return try DecodedSamples(
      size: size, channels: frame.components, format: .codes(bits: 8)
    ) { (picture) throws(ReadError) in
      if policy.reads(.jpegData) { picture.clear() }
      let rows = unsafe picture.row(0).assumingMemoryBound(to: UInt8.self)
      let failure = try ReadError.translating { () throws(FormatError) -> String? in
        try unsafe decoder.decode(
          self, size: size, components: frame.components, stride: picture.stride, rows: rows)
      }
      if frame.components == 4 { picture.invert() }
      guard let failure else { return }
      guard policy.reads(.jpegData) else { throw damaged(failure) }
      let isCut = scan.map { endsEarly(frame, $0) } ?? false
      picture.add(
        note: isCut
          ? StillInfo.cutNote : "the JPEG is damaged (\(failure)); it is read as far as it goes")
    }
  }

  private func damaged(_ what: String) -> ReadError {
    ReadError(.damaged, "the JPEG is damaged (\(what)); copy it again", path: file.path)
  }
}

extension JPEGFrame {
  /// Throws unless the picture can be decoded.
  func check(path: String?) throws(ReadError) {
    func refuse(_ what: String) -> ReadError { ReadError(.unsupported, what, path: path) }
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: break
    case 0xC3, 0xCB:
      throw refuse("a lossless JPEG (SOF3) is not supported; convert it to PNG or TIFF first")
    default:
      throw refuse("a hierarchical JPEG is not supported; convert it to PNG or TIFF first")
    }
    guard bitDepth == 8 else {
      throw refuse(
        "a JPEG of \(bitDepth) bits is not supported, only of 8; convert it to PNG or TIFF of 16 "
          + "bits first")
    }
    guard size.width > 0, size.height > 0 else {
      throw refuse(
        "a JPEG without a size in its frame header is not supported; save it again in another "
          + "program")
    }
    guard [1, 3, 4].contains(components) else {
      throw refuse("JPEG of \(components) components is not supported; convert it to RGB first")
    }
  }
}

extension DecodedSamples {
  /// Inverts CMYK: all writers store it inverted in a JPEG, with or without an Adobe segment; the
  /// same for YCCK converted to CMYK.
  fileprivate func invert() {
    for y in 0..<size.height {
      let row = unsafe row(y).assumingMemoryBound(to: UInt8.self)
      for i in 0..<size.width * channels { unsafe row[i] = ~row[i] }
    }
  }
}
