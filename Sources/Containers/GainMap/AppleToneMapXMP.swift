public import ImageCore

// ISO's parameters in Apple's XMP, `http://ns.apple.com/HDRToneMap/1.0/` (prefix HDRToneMap), as
// ImageIO returns them and Apple's programs write them into the second picture of a JPEG beside the
// binary record, or instead of it. Version 1: BaseHeadroom and AlternateHeadroom in stops,
// BaseColorIsWorkingColor, and ChannelMetadata, a sequence of one or three structures of
// GainMapMin, GainMapMax (stops), Gamma, BaseOffset and AlternateOffset. Source of the layout:
// files of Apple's programs.

extension GainMapMetadata {
  /// The parameters in `HDRToneMap`; nil where the packet has none. Throws where they are
  /// incomplete, invalid, or of another version: the file's other declarations then apply.
  public init?(appleToneMap packet: XMPPacket) throws(GainMapError) {
    let fields = packet.fields(in: .appleToneMap)
    guard !fields.isEmpty else { return nil }
    guard fields["Version"]?.number == 1 else {
      let version = fields["Version"]?.text ?? "?"
      let printable = String(version.unicodeScalars.prefix(16)).asName
      throw GainMapError(
        .unsupported,
        "HDRToneMap version \(printable) is not supported; only the map's other metadata is used")
    }
    guard let alternate = fields["AlternateHeadroom"]?.number,
      case .list(let items)? = fields["ChannelMetadata"]
    else { throw Self.incompleteToneMap }
    var channels: [Channel] = []
    for item in items {
      func number(_ name: String) throws(GainMapError) -> Double {
        guard let number = item[XMPName(.appleToneMap, name)]?.number else {
          throw Self.incompleteToneMap
        }
        return number
      }
      channels.append(
        try Channel(
          minimumStops: number("GainMapMin"), maximumStops: number("GainMapMax"),
          gamma: number("Gamma"), baseOffset: number("BaseOffset"),
          alternateOffset: number("AlternateOffset")))
    }
    let base = fields["BaseHeadroom"]?.number ?? 0
    guard [1, 3].contains(channels.count), alternate != base else { throw Self.incompleteToneMap }
    try self.init(
      channels: channels, baseHeadroomStops: base, alternateHeadroomStops: alternate,
      usesBaseColorSpace: fields["BaseColorIsWorkingColor"]?.truth ?? true)
  }

  private static let incompleteToneMap = GainMapError(
    .damaged, "HDRToneMap lacks parameters; only the map's other metadata is used")
}
