import Containers

/// The noise of the brightest areas of a merged picture, where only the shortest exposure
/// contributes (``RawInfo/brightNoiseProfile``): rawdev:BrightNoiseProfile in a DNG's XMP, as text
/// of pairs like NoiseProfile. Other readers use NoiseProfile alone, which is right in the shadows
/// and midtones.
package enum BrightNoiseRecord {
  private static let name = XMPName(.rawdev, "BrightNoiseProfile")
  /// Maximum length of six numbers, in bytes.
  private static let longest = 256

  /// The pairs in the packet `xmp`; empty if absent.
  static func profile(in xmp: [UInt8]) -> [(scale: Double, offset: Double)] {
    // Avoids parsing most packets.
    guard xmp.count <= XMPPacket.maxBytes, xmp[...].contains(subsequence: name.name),
      let text = XMPPacket(lenient: xmp)[name]?.text, text.utf8.count <= longest
    else { return [] }
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 6, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return [] }
    return [0, 2, 4].map { (numbers[$0], numbers[$0 + 1]) }
  }

  /// The packet `xmp`, nil for none, with its noise record replaced by `profile`.
  package static func packet(
    _ xmp: [UInt8]?, with profile: [(scale: Double, offset: Double)]
  ) -> [UInt8] {
    var description = XMPDescription(.rawdev)
    description.add(
      .rawdev, name.name, profile.map { "\($0.scale) \($0.offset)" }.joined(separator: " "))
    return XMPWriter.replacing(name, by: description, in: xmp)
  }
}
