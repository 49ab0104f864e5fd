/// Which DNG storages can be decoded and by whom; every other one is refused in one line, since
/// LibRaw 0.20 would fail late or show a wrong picture.
enum DNGSupport {
  private static let remedy = "convert it with Adobe DNG Converter (lossless, DNG 1.4) first"

  /// The decoder for the raw picture of `tags`. Fails when there is none, or when data are missing.
  static func decoder(for tags: DNGTags, in file: FileBytes) throws(RAWError) -> RawFile.Decoder {
    let storage = tags.storage
    func refuse(_ what: String) -> RAWError {
      RAWError(.unsupported, .open, "\(what); \(remedy)", path: file.path)
    }
    guard tags.backwardVersion.lexicographicallyPrecedes([1, 8, 0, 0]) else {
      let version = tags.backwardVersion.map(String.init).joined(separator: ".")
      throw refuse("it needs a reader of DNG \(version), newer than the 1.7 known here")
    }
    guard tags.cfaLayout == 1 else { throw refuse("staggered sensors are not supported") }
    guard [1, 3].contains(storage.samplesPerPixel), storage.isContiguous else {
      throw refuse("\(storage.samplesPerPixel) samples a pixel stored apart are not supported")
    }
    guard storage.photometric != 32803 || storage.samplesPerPixel == 1 else {
      throw refuse("a mosaic of \(storage.samplesPerPixel) samples a pixel is not supported")
    }
    switch storage.compression {
    case 52546: throw refuse("JPEG XL compression is not supported")
    case 8, 32946: throw refuse("Deflate compression is not supported")
    case 9: throw refuse("VC-5 (GoPro) compression is not supported")
    case 1, 7, 34892: break
    default: throw refuse("compression \(storage.compression) is not supported")
    }
    if storage.isInterleaved { throw refuse("interleaved storage is not supported") }
    try storage.requireComplete(in: file)
    if storage.compression == 1 { return try uncompressed(tags, refuse) }
    guard !storage.isFloat else { throw refuse("floating-point JPEG is not supported") }
    // Baseline and extended DCT are lossy; SOF3 is lossless.
    let frame = frameMarker(in: file, storage.chunks[0])
    switch frame {
    case 0xC0, 0xC1:
      guard storage.bitsPerSample == 8 else { throw refuse("12-bit lossy JPEG is not supported") }
      return .lossyJPEG
    case 0xC3 where storage.compression == 7:
      return LosslessJPEGDecoder.covers(storage, in: file) ? .losslessJPEG : .libRaw
    case nil:
      throw RAWError(
        .damaged, .open, "its pixel data are no JPEG, as they should be; copy the file again",
        path: file.path)
    default: throw refuse("this kind of JPEG is not supported")
    }
  }

  private static func uncompressed(
    _ tags: DNGTags, _ refuse: (String) -> RAWError
  ) throws(RAWError) -> RawFile.Decoder {
    let bits = tags.storage.bitsPerSample
    guard tags.storage.isFloat || tags.storage.isTiled else {
      guard (8...16).contains(bits) else { throw refuse("\(bits)-bit samples are not supported") }
      return bits == 8 || bits == 16 ? .uncompressed : .libRaw
    }
    guard tags.storage.isFloat ? [16, 24, 32].contains(bits) : [8, 16].contains(bits) else {
      throw refuse("\(bits)-bit tiles are not supported")
    }
    return .uncompressed
  }

  /// The number of the first frame header (SOFn) of a JPEG stream; nil when there is none.
  private static func frameMarker(in file: FileBytes, _ chunk: (offset: Int, bytes: Int)) -> UInt8?
  {
    var position = chunk.offset + 2
    let end = chunk.offset + chunk.bytes
    while position + 4 <= end {
      guard let marker = file.integer(UInt16.self, at: position, bigEndian: true),
        let length = file.integer(UInt16.self, at: position + 2, bigEndian: true),
        marker >> 8 == 0xFF
      else { return nil }
      let code = UInt8(marker & 0xFF)
      if (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code) { return code }
      position += 2 + Int(length)
    }
    return nil
  }
}
