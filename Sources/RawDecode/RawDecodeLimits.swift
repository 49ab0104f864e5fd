import ImageCore

/// Fixed limits of raw files, in addition to those of containers (`FormatLimits`).
enum RawDecodeLimits {
  static let profiles = 64
  static let tableGains = 1 << 26
  static let hueSatEntries = 1 << 22
  static let rgbTables = 20
  static let vc5Segments = 4096
  static let canonHeaderBytes = 1 << 20
  static let phaseOneEntries = 8192

  /// The table.
  static let rows = [
    FixedLimit(profiles, "camera profiles of a DNG; more are ignored"),
    FixedLimit(tableGains, "gains of a gain table map, in 256 MiB of memory"),
    FixedLimit(hueSatEntries, "entries of a table of hue and saturation"),
    FixedLimit(rgbTables, "RGB tables of a camera profile"),
    FixedLimit(vc5Segments, "segments of a VC-5 stream, whose 40 subbands take some 300"),
    FixedLimit(
      bytes: canonHeaderBytes, "the headers of a CR3's picture, for which LibRaw needs twice that"),
    FixedLimit(phaseOneEntries, "entries of a directory of Phase One, as in LibRaw"),
  ]
}
