import Containers

/// Which of the two JPEGs of DNG (1.7.1 chapter 3) a picture holds, by its first frame header.
enum JPEGKind: Sendable {
  /// Baseline or extended DCT.
  case lossy
  /// SOF3.
  case lossless

  /// The kind in the first chunk of `storage`, which lies within `file`.
  init(_ storage: RawStorage, _ file: FileBytes) throws(RAWError) {
    let stream = storage.chunks.first.flatMap { file.view($0.offset, $0.bytes) }
    switch stream?.jpegMarkers.first(where: { JPEGMarkers.isFrame($0.marker) })?.marker {
    case 0xC0, 0xC1:
      guard storage.bitsPerSample == 8 else {
        throw Self.refusal("12-bit lossy JPEG is not supported", file)
      }
      self = .lossy
    case 0xC3 where storage.compression == 7: self = .lossless
    case nil:
      throw RAWError(
        .damaged, .decode, "its pixel data are no JPEG, as they should be; copy the file again",
        path: file.path)
    default: throw Self.refusal("this kind of JPEG is not supported", file)
    }
  }

  private static func refusal(_ what: String, _ file: FileBytes) -> RAWError {
    RAWError(.unsupported, .decode, "\(what); \(DNGSupport.remedy)", path: file.path)
  }
}
