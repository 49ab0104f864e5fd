import Codecs
import Containers
import ImageCore

// The pixels of one JPEG image, decoded by TurboJPEG at full size. A picture whose data end early
// or are inconsistent is refused, not filled up with gray; a missing EOI marker is appended. Stray
// bytes and versions that the decoder does not know are what cameras write, but it also names stray
// bytes where a flipped bit ends a scan early, and is silent on all that follows the first
// complaint: only a copy without them, decoded in silence, tells that the picture is whole.

extension JPEGSegments {
  /// The frame header, if it is supported, within the limits and plausible for the length of the
  /// data. Throws before any memory is allocated.
  func decodableFrame() throws(ReadError) -> JPEGFrame {
    if let excess { throw ReadError(excess, path: file.path) }
    guard let frame else { throw damaged("its header is not whole") }
    try frame.check(path: file.path)
    guard let scan else { throw damaged("it ends before its pixels") }
    let limits = file.limits
    guard frame.size.area <= limits.maxPixels else {
      throw ReadError(limits.tooManyPixels(frame.size), path: file.path)
    }
    let samples = DecodedSamples.bytes(
      frame.size, channels: frame.components, .codes(bits: 8))
    guard samples + coefficientBytes(of: frame) <= limits.maxDecodeBytes else {
      throw ReadError(
        .tooLarge, "decoding takes more than the limit of \(limits.maxDecodeBytes) bytes; raise it",
        path: file.path)
    }
    guard !endsEarly(frame, scan) else { throw damaged("it ends before its pixels") }
    guard !hasTooManyScans(for: frame) else {
      throw damaged("it has too many scans for its length")
    }
    return frame
  }

  /// The samples of the picture, 8 bits in 1 or 3 channels; reduced by the decoder as far as the
  /// longer side remains at least `minSide`, where that is given.
  func decode(minSide: Int? = nil) throws(ReadError) -> DecodedSamples {
    let frame = try decodableFrame()
    try ReadError.translating { () throws(FormatError) in try file.checkTime() }
    guard let decoder = TurboJPEG() else {
      throw ReadError(.tooLarge, "there is not enough memory for a JPEG decoder", path: file.path)
    }
    guard let header = unsafe decoder.header(bytes), header.size == frame.size,
      header.components == frame.components
    else { throw damaged("its header contradicts itself") }
    let size = minSide.map { decoder.scaled(frame.size, minSide: $0) } ?? frame.size
    return try DecodedSamples(
      size: size, channels: frame.components, format: .codes(bits: 8)
    ) { (picture) throws(ReadError) in
      let rows = unsafe picture.row(0).assumingMemoryBound(to: UInt8.self)
      func complaint(_ data: UnsafeRawBufferPointer) -> TurboJPEG.Complaint? {
        unsafe decoder.decode(
          data, size: size, components: frame.components, stride: picture.stride, rows: rows)
      }
      guard let first = unsafe complaint(bytes) else { return }
      if case .damaged(let words) = first { throw damaged("the decoder says: \(words)") }
      guard unsafe bytes.count < file.limits.maxDecodeBytes else {
        throw damaged("its end is missing, or it has stray bytes")
      }
      guard unsafe try decodesTidied(complaint) else { throw damaged("the data end early") }
    }
  }

  /// Whether `complaint` has nothing to say of the picture without its oddities, whose samples are
  /// decoded by it.
  private func decodesTidied(
    _ complaint: (UnsafeRawBufferPointer) -> TurboJPEG.Complaint?
  ) throws(ReadError) -> Bool {
    var copy = tidied()
    // Of padding, the decoder does not count what it has read ahead: it may name some twice.
    for _ in 0..<4 {
      switch unsafe copy.withUnsafeBytes({ unsafe complaint($0) }) {
      case nil: return true
      case .endMissing: return false
      case .damaged(let words): throw damaged("the decoder says: \(words)")
      case .oddity(let words, let padding):
        // In front of the end marker, which a copy always has.
        let strays = copy.dropLast(2).suffix(padding)
        guard padding > 0, strays.allSatisfy({ $0 == 0 || $0 == 0xFF }) else {
          throw damaged("the decoder says: \(words)")
        }
        copy.removeSubrange(strays.indices)
      }
      try ReadError.translating { () throws(FormatError) in try file.checkTime() }
    }
    return false
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
      throw refuse("lossless JPEG is not supported; convert it to PNG or TIFF first")
    default: throw refuse("hierarchical JPEG is not supported; convert it to PNG or TIFF first")
    }
    guard bitDepth == 8 else {
      throw refuse("JPEG of \(bitDepth) bits is not supported; convert it to PNG or TIFF first")
    }
    guard size.width > 0, size.height > 0 else {
      throw refuse(
        "a JPEG that does not state its size first is not supported; save it anew elsewhere")
    }
    guard components == 1 || components == 3 else {
      throw refuse(
        components == 4
          ? "this JPEG holds printing inks (CMYK); convert it to RGB first, with its ICC profile"
          : "JPEG of \(components) components is not supported; convert it to RGB first")
    }
  }
}
