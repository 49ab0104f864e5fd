/// Photoshop's image resources in a JPEG or TIFF, for the IPTC datasets in them (Adobe, Photoshop
/// file formats specification, "Image Resource Blocks"): `8BIM`, a number, a name with its length,
/// padded to even bytes, and the data with their length, also padded. Other programs by Adobe use
/// other signatures.
package enum PhotoshopResources {
  private static let mark = Array("8BIM".utf8)
  private static let others = ["MeSa", "AgHg", "PHUT", "DCSR"].map { Array($0.utf8) }
  private static let iptcNumber: UInt16 = 0x0404

  /// The datasets in `bytes`; nil where there are none.
  package static func iptc(in bytes: [UInt8]) -> [UInt8]? {
    var cursor = ByteCursor(bytes)
    func padded(_ count: Int) -> Int { count + count % 2 }
    while let mark = cursor.slice(4).map({ Array($0) }),
      mark == Self.mark || others.contains(mark),
      let number = cursor.integer(UInt16.self), let name = cursor.integer(UInt8.self),
      cursor.slice(padded(Int(name) + 1) - 1) != nil, let length = cursor.integer(UInt32.self),
      let data = cursor.slice(Int(length))
    {
      if mark == Self.mark, number == iptcNumber { return data.isEmpty ? nil : Array(data) }
      guard length % 2 == 0 || cursor.slice(1) != nil else { return nil }
    }
    return nil
  }

  /// The resources of a file that has these datasets and no others.
  package static func bytes(iptc: [UInt8]) -> [UInt8] {
    mark + iptcNumber.bytes(bigEndian: true) + [0, 0]
      + UInt32(truncatingIfNeeded: iptc.count).bytes(bigEndian: true) + iptc
      + (iptc.count % 2 == 0 ? [] : [0])
  }
}
