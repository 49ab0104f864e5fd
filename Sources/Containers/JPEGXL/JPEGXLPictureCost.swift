import ImageCore

/// Work and memory of libjxl for the first picture of a JPEG XL file: all its frames, including the
/// ones never displayed.
package struct JPEGXLPictureCost: Sendable {
  /// Floats of a pixel while a frame is decoded: for the colors, and for each further channel,
  /// though it is dropped. Measured with libjxl 0.7: 24 bytes, and up to 14 for a channel.
  package static func floats(extraChannels: Int) -> Int { 6 + 4 * extraChannels }

  /// Maximum of bytes held: a frame, and earlier ones stored for it, whose pixels take half as much
  /// each.
  package private(set) var bytes = 0.0
  /// Whether all bytes of its frames are there.
  package private(set) var isWhole = true

  /// The cost by the headers of the `frames` of `file`; nil where one is damaged or missing. Throws
  /// beyond the limits of frames, of pixels and of time, and for splines.
  package init?(_ frames: JPEGXLFrames, of file: FileBytes) throws(FormatError) {
    var frames = frames
    defer { withExtendedLifetime(file) {} }
    let channels = max(frames.extraChannels, 1)
    let limit = max(file.limits.maxPixels, frames.size.area)
    var count = file.itemCount(of: "frames")
    // Of all frames; each channel after alpha counts as one.
    var pixels = 0
    var stored = [Double](repeating: 0, count: JPEGXLFrame.stores)
    while let frame = frames.next() {
      try file.checkReading()
      try count.add()
      guard !frame.hasSplines else {
        throw FormatError(
          .unsupported, "it has splines, whose cost is not known; convert it with djxl",
          path: file.path)
      }
      let (all, isBeyond) = frame.work.multipliedReportingOverflow(by: channels)
      guard !isBeyond, all <= limit - pixels else { throw file.tooManyFramePixels }
      pixels += all
      let floats =
        Double(frame.size.area) * Double(Self.floats(extraChannels: frames.extraChannels))
        + stored.reduce(0, +) * Double(3 + frames.extraChannels)
      bytes = max(bytes, floats * 4)
      if let store = frame.store { stored[store] = Double(frame.storedPixels) }
      if frame.endsPicture {
        isWhole = frames.isComplete
        return
      }
    }
    return nil
  }
}
