import ImageCore

/// How a picture is divided: strips, which are compressed one by one, and bands of whole strips,
/// which are read and encoded together.
struct StripLayout: Sendable {
  let size: PixelSize
  /// Bytes of one sample: 1, 2 or 4.
  let sampleBytes: Int
  let rowsPerStrip: Int
  let rowsPerBand: Int

  /// At most 64 rows or 2 MiB a strip: smaller ones lose ratio and speed, larger ones gain nothing;
  /// a power of two, so that whole strips make a band of the height that the picture prefers. A
  /// band holds up to 256 rows or 768 Ki pixels (9 MiB of floats), so that two threads stay below
  /// 60 MB; or as many as a picture prefers whose rows cost more in lower bands, as long as each of
  /// `workers` has two of them.
  init(size: PixelSize, sampleBytes: Int, bandHeight: Int = 256, workers: Int = 1) {
    self.size = size
    self.sampleBytes = sampleBytes
    let rowBytes = max(1, size.width * 3 * sampleBytes)
    let rows = max(1, min(64, size.height, (2 << 20) / rowBytes))
    rowsPerStrip = 1 << (Int.bitWidth - 1 - rows.leadingZeroBitCount)
    let stripPixels = max(1, size.width * rowsPerStrip)
    let isTall = bandHeight > 256 && size.height >= 2 * workers * bandHeight
    let strips = isTall ? .max : (768 << 10) / stripPixels
    rowsPerBand =
      rowsPerStrip
      * max(1, min((isTall ? bandHeight : min(bandHeight, 256)) / rowsPerStrip, strips))
  }

  var rowBytes: Int { size.width * 3 * sampleBytes }
  var stripsPerBand: Int { rowsPerBand / rowsPerStrip }
  var bandCount: Int { (size.height + rowsPerBand - 1) / rowsPerBand }

  /// The pixels of band `index`.
  func band(_ index: Int) -> PixelRect {
    let y = index * rowsPerBand
    return PixelRect(x: 0, y: y, width: size.width, height: min(rowsPerBand, size.height - y))
  }
}
