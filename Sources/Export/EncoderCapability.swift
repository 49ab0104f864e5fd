public import Formats

/// A still picture encoder that is available.
public struct EncoderCapability: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// The codec, such as `hevc` or `av1`.
  public let codec: String
  /// The file formats that it is used for.
  public let containers: [EncoderSettings.Container]
  /// Supported bit depths.
  public let bits: [Int]
  /// Whether it is a hardware encoder. Always false: all run on the CPU.
  public let isHardware: Bool

  /// Whether HDR can be written with it, in PQ, HLG or floats.
  public let isHDRCapable: Bool

  /// All encoders.
  public static var all: [EncoderCapability] {
    EncoderSettings.Container.pictures.map { container in
      let format = container.descriptor
      return EncoderCapability(
        name: format.encoder, codec: format.codec, containers: [container],
        bits: format.allBits, isHardware: false,
        isHDRCapable: !format.hdrBits.isEmpty || format.holdsFloats)
    }
  }
}

extension EncoderSettings {
  /// Throws when the named ``encoder`` does not write this format and depth.
  func checkEncoder() throws(WriteError) {
    guard let encoder else { return }
    let all = EncoderCapability.all.filter { $0.containers.contains(container) }
    guard all.contains(where: { $0.name == encoder && $0.bits.contains(bits) }) else {
      throw WriteError(
        .badSetting,
        "\(encoder) does not write \(container.rawValue) of \(bits) bits; take "
          + all.map(\.name).joined(separator: " or "))
    }
  }
}
