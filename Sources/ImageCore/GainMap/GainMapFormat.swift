/// A format in which a file describes its gain map. Each takes a few hundred bytes; the map itself
/// is stored once.
public enum GainMapFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Apple's of 2020: `HDRGainMap` in XMP, and the maker note.
  case apple
  /// The binary record of ISO 21496-1:2025.
  case iso
  /// XMP of Adobe and Android ("Ultra HDR"), in JPEG only.
  case ultraHDR = "ultra-hdr"
}

extension Set<GainMapFormat> {
  /// All formats that the container can store.
  public static var all: Set<GainMapFormat> { Set(GainMapFormat.allCases) }
}
