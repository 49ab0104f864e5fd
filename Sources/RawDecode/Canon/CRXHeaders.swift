import Containers

/// The headers of a picture in version 1 of Canon's codec, before its pixels: one for each tile
/// (FF01), each followed by one for each plane (FF02), each followed by one for each band (FF03),
/// all with the length of their data.
///
/// LibRaw 0.20 does not check them: a band outside the file terminates the process by an exception
/// in a parallel region, and with invalid sizes or headers it decodes uninitialized state.
///
/// Source: the published description of CR3 (Clevy, github.com/lclevy/canon_cr3), and LibRaw's
/// requirements.
enum CRXHeaders {
  private static let entryBytes = 12

  /// Whether all bands of `picture` are in `file`; true if unknown.
  static func holdBands(_ picture: CR3Boxes.Picture, _ file: FileBytes) -> Bool {
    func word(_ offset: Int) -> Int? {
      file.integer(UInt32.self, at: offset, bigEndian: true).map { Int($0) }
    }
    func short(_ offset: Int) -> Int? {
      file.integer(UInt16.self, at: offset, bigEndian: true).map { Int($0) }
    }
    let coding = picture.coding
    guard picture.version == 0x100, let sample = picture.sample,
      let width = word(coding + 8), let height = word(coding + 12),
      let tileWidth = word(coding + 16), let tileHeight = word(coding + 20),
      let kind = word(coding + 24), let bytes = word(coding + 28), short(sample) == 0xFF01
    else { return true }
    let (planes, bands) = (kind >> 20 & 15, 3 * (kind >> 8 & 15) + 1)
    let halves = planes == 4 ? 1 : 0
    guard let columns = tiles(width >> halves, tileWidth >> halves),
      let rows = tiles(height >> halves, tileHeight >> halves),
      bytes <= RawDecodeLimits.canonHeaderBytes, file.holds(sample, bytes)
    else { return false }

    let start = sample + bytes
    var next = sample
    /// Start of the next header and its length field; nil if there is none.
    func header(_ mark: Int) -> (offset: Int, length: Int)? {
      guard next + entryBytes <= start, short(next) == mark, let length = word(next + 4) else {
        return nil
      }
      defer { next += entryBytes }
      return (next, length)
    }
    var tileStart = start
    for number in 0..<columns * rows {
      guard let tile = header(0xFF01), short(tile.offset + 8) == number,
        let longer = short(tile.offset + 2), longer >= 8
      else { return false }
      next += longer - 8
      var planeStart = tileStart
      for number in 0..<planes {
        guard let plane = header(0xFF02), let rest = word(plane.offset + 8), rest >> 28 == number
        else { return false }
        var bandStart = planeStart
        for number in 0..<bands {
          guard let band = header(0xFF03), let rest = word(band.offset + 8), rest >> 28 == number,
            case let data = band.length - rest & 0x7FF, data >= 0,
            data == 0 || file.holds(bandStart, data)
          else { return false }
          bandStart += band.length
        }
        planeStart += plane.length
      }
      tileStart += tile.length
    }
    return true
  }

  /// Number of tiles along a side of `length`; nil for sizes that LibRaw does not support.
  private static func tiles(_ length: Int, _ tile: Int) -> Int? {
    let minSide = 22
    guard tile >= minSide, length >= minSide, length <= 0x7FFF else { return nil }
    let count = (length + tile - 1) / tile
    return count <= 255 && length - tile * (count - 1) >= minSide ? count : nil
  }
}
