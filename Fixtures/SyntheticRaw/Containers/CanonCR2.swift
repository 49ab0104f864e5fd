import ImageCore

/// Canon's CR2: a TIFF with `CR`, 2.0 and the place of the raw directory behind the header. Four
/// directories follow one another: the camera with its preview, a thumbnail, a small picture, and
/// the mosaic as one lossless JPEG (compression 6) of two components.
///
/// The JPEG's samples fill vertical slices from left to right, each from top to bottom, whose
/// number and widths are in tag 50752: how many of the first width, that width, width of the last.
///
/// Sources: published descriptions of CR2 (Clevy, "Inside the Canon RAW format version 2"); the
/// layout matches files of cameras.
struct CanonCR2 {
  let raw: CameraContainer

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    let (width, height) = (raw.size.width, raw.size.height)
    try raw.require(
      width % 2 == 0 && width >= 96 && width <= 4 * height, "sides of \(raw.size) do not fit")
    let slice = width / 3 & ~1
    let widths = [slice, slice, width - 2 * slice]
    var stream: [UInt16] = []
    stream.reserveCapacity(raw.samples.count)
    var left = 0
    for slice in widths {
      for y in 0..<height { stream += raw.row(y).dropFirst(left).prefix(slice) }
      left += slice
    }
    let jpeg = LosslessJPEG(columns: width / 2, rows: height, components: 2, bits: raw.bits)

    var root = raw.camera
    var exif = TIFFNode(directory: raw.exif)
    exif.notes = [(37500, raw.canonNote(modelNumber: 0x8000_0289, version: 7))]
    root.children = [(34665, [exif])]
    let preview = BaselineJPEG.encode(
      [UInt8](repeating: 128, count: 16 * 16 * 3), size: PixelSize(width: 16, height: 16),
      components: 3, quality: 80)
    root.directory[256] = .shorts([16])
    root.directory[257] = .shorts([16])
    root.directory[258] = .shorts([8, 8, 8])
    root.directory[259] = .shorts([6])
    root.chunks = [preview ?? []]
    var thumbnail = TIFFNode()
    thumbnail.directory[259] = .shorts([6])
    var small = TIFFNode()
    small.directory[254] = .longs([1])
    var picture = TIFFNode()
    picture.directory[259] = .shorts([6])
    picture.directory[50752] = .shorts([2, UInt16(slice), UInt16(widths[2])])
    picture.chunks = [jpeg.encode(stream, stride: width)]

    let bytes = try root.file(
      order: .little, start: 16, following: [thumbnail, small, picture]
    ) { offsets in
      var header = ByteStream(order: .little)
      header.bytes = Array("CR".utf8) + [2, 0]
      header.append(UInt32(offsets[3]))
      return header.bytes
    }
    return CameraContainer.Written(bytes: bytes, samples: raw.samples)
  }
}
