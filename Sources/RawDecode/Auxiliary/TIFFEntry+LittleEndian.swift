package import Containers

extension TIFFEntry {
  /// The bytes of all values in little-endian order. Nil for an UNDEFINED value of unknown
  /// structure. Known structures in profiles follow the byte order of the file:
  /// ProfileGainTableMap2, RGBTables, ProfileDynamicRange, IlluminantData (DNG 1.7.1, chapter 6).
  package var littleEndianBytes: [UInt8]? {
    var bytes = bytes
    guard bigEndian else { return bytes }
    guard type == 7 else {
      // Rationals are two numbers.
      let width = type == 5 || type == 10 ? 4 : Self.width(ofType: type) ?? 1
      var swapper = Swapper(bytes)
      swapper.swap(width, bytes.count / width)
      return swapper.bytes
    }
    var swapper = Swapper(bytes)
    switch tag {
    case DNGTag.profileGainTableMap2: swapper.swapGainTableMap()
    case DNGTag.rgbTables: swapper.swapRGBTables()
    case DNGTag.profileDynamicRange:
      swapper.swap(2, 2)
      swapper.swap(4, 1)
    case DNGTag.illuminantData1, DNGTag.illuminantData2, DNGTag.illuminantData3:
      swapper.swap(2, 1)
      swapper.swap(4, (bytes.count - 2) / 4)
    default: return nil
    }
    bytes = swapper.bytes
    return swapper.isSound ? bytes : nil
  }
}

/// Reverses the bytes of consecutive numbers; invalid once a number does not fit.
private struct Swapper {
  private(set) var bytes: [UInt8]
  private(set) var isSound = true
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reverses the bytes of `count` numbers of `width` bytes.
  mutating func swap(_ width: Int, _ count: Int) {
    guard isSound, count >= 0, count <= (bytes.count - position) / width else {
      isSound = false
      return
    }
    if width > 1 {
      for index in 0..<count {
        let start = position + index * width
        bytes[start..<start + width].reverse()
      }
    }
    position += width * count
  }

  /// The number reversed last, `width` bytes wide.
  private func last(_ width: Int) -> Int {
    guard isSound else { return 0 }
    return bytes[(position - width)..<position].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// A header of 80 bytes, then gains of the declared type.
  mutating func swapGainTableMap() {
    swap(4, 2)
    swap(8, 4)
    swap(4, 6)
    swap(4, 1)
    let type = last(4)
    swap(4, 3)
    guard (0...3).contains(type) else { return isSound = false }
    let width = [1, 2, 2, 4][type]
    swap(width, (bytes.count - position) / width)
  }

  /// Count and method; for each table its name, five bytes of type, and its colors.
  mutating func swapRGBTables() {
    swap(4, 1)
    let tables = last(4)
    swap(4, 1)
    guard tables <= 20 else { return isSound = false }
    for _ in 0..<tables {
      swap(2, 1)
      let length = last(2)
      swap(1, length)
      swap(1, 5)
      guard isSound else { return }
      let (divisions, kind) = (Int(bytes[position - 5]), Int(bytes[position - 4]))
      guard (2...32).contains(divisions), (0...2).contains(kind) else { return isSound = false }
      swap([1, 2, 4][kind], 3 * divisions * divisions * divisions)
    }
  }
}
