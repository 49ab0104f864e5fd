import Testing

@testable import ImageCore

@Suite struct CaptureMetadataTests {
  /// Many at once are what they are one by one.
  @Test func entriesAreSetInOrder() {
    let added = [
      ExifEntry(.gps, 1, .ascii("N")), ExifEntry(.exif, 7, .shorts([1])),
      ExifEntry(.image, 9, .shorts([2])), ExifEntry(.exif, 3, .shorts([3])),
    ]
    let old = [ExifEntry(.image, 4, .shorts([4])), ExifEntry(.exif, 7, .shorts([5]))]
    var (together, apart) = (CaptureMetadata(entries: old), CaptureMetadata(entries: old))
    together.set(added)
    for entry in added { apart[entry.directory, entry.tag] = entry.value }
    #expect(together.entries == apart.entries)
    #expect(together.entries.map(\.tag) == [4, 9, 3, 7, 1])
    #expect(together[.exif, 7] == .shorts([1]))
    apart[.exif, 7] = nil
    #expect(apart.entries.map(\.tag) == [4, 9, 3, 1])
  }

  /// Names are displayed, texts are written unchanged.
  @Test func longNamesAreCut() {
    var metadata = CaptureMetadata()
    let long = String(repeating: "é", count: 100_000)
    metadata[.image, 0x0110] = .ascii(long)
    #expect(metadata.model == String(repeating: "é", count: 256) + "…")
    #expect(metadata[.image, 0x0110] == .ascii(long))
    let name = String(repeating: "x", count: 256)
    metadata[.image, 0x0110] = .ascii(name)
    #expect(metadata.model == name)
  }

  @Test func controlCharactersAreReplaced() {
    var metadata = CaptureMetadata()
    metadata[.image, 0x0110] = .ascii("\u{1B}[2J α 7\u{7F}\u{9B}31m\n")
    #expect(metadata.model == "\u{FFFD}[2J α 7\u{FFFD}\u{FFFD}31m\u{FFFD}")
  }
}
