import Containers

/// The noise of the brightest places of a merged picture, where the shortest exposure is alone
/// (``RawInfo/brightNoiseProfile``): rawdev:BrightNoiseProfile in a DNG's XMP, as a text of pairs
/// like those of NoiseProfile. Other readers take NoiseProfile alone, which is right in the shadows
/// and midtones.
package enum BrightNoiseRecord {
  private static let name = XMPName(.rawdev, "BrightNoiseProfile")
  /// Six numbers are no longer, in bytes.
  private static let longest = 256

  /// The pairs in the packet `xmp`; none where it has none.
  static func profile(in xmp: [UInt8]) -> [(scale: Double, offset: Double)] {
    // Most packets are not parsed.
    guard xmp.count <= XMPPacket.maxBytes, xmp[...].contains(subsequence: name.name),
      let text = XMPPacket(lenient: xmp)[name]?.text, text.utf8.count <= longest
    else { return [] }
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 6, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return [] }
    return [0, 2, 4].map { (numbers[$0], numbers[$0 + 1]) }
  }

  /// The packet `xmp`, nil for none, with `profile` in place of any other.
  package static func packet(
    _ xmp: [UInt8]?, with profile: [(scale: Double, offset: Double)]
  ) -> [UInt8] {
    var description = XMPDescription(.rawdev)
    description.add(
      .rawdev, name.name, profile.map { "\($0.scale) \($0.offset)" }.joined(separator: " "))
    return XMPWriter.replacing(name, by: description, in: xmp)
  }
}
