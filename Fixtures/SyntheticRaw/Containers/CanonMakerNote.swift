import ImageCore

/// Canon's maker note, a directory without a header: the model's number (0x10), the sensor's border
/// and area (0xE0) and, in the color data (0x4001), white balance and black as red, green, green,
/// blue and two white levels.
///
/// Of the color data, whose length identifies their layout, this writes version 7 (1313 numbers,
/// subversion 11), as the EOS 7D Mark II has it, and for CR3s version 9 (1816, subversion 18), as
/// the EOS RP has it.
///
/// Source: tag names of ExifTool (Canon.pm); the offsets are those that LibRaw 0.20 reads.
extension CameraContainer {
  /// The maker note of a camera of this number.
  func canonNote(modelNumber: UInt32, version: Int) -> TIFFDirectory {
    var colors = [UInt16](repeating: 0, count: version == 7 ? 1313 : 1816)
    let offsets = version == 7 ? (0x3F, 0x2D8, 0x2DC) : (0x47, 0x318, 0x31C)
    colors[0] = version == 7 ? 11 : 18
    func put(_ values: [UInt16], at offset: Int) {
      colors.replaceSubrange(offset..<offset + values.count, with: values)
    }
    put(gainsRedFirst(one: 1024), at: offsets.0)
    put(redFirst(black), at: offsets.1)
    put([UInt16(white), UInt16(white)], at: offsets.2)

    // The last column and row are part of the area.
    let sensor =
      [0, size.width, size.height, 1, 1, area.x, area.y, area.endX - 1, area.endY - 1]
      + [Int](repeating: 0, count: 8)
    var note = TIFFDirectory()
    note[0x10] = .longs([modelNumber])
    note[0xE0] = .shorts(sensor.map { UInt16($0) })
    note[0x4001] = .shorts(colors)
    note.merge(recording?.fields ?? [:])
    return note
  }
}
