import ImageCore

/// Passes a picture through, and adds it to a sample of it.
struct SampledSource: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let sample: PictureSample

  var size: PixelSize { source.size }
  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    sample.add(buffer, at: rect)
  }
}
