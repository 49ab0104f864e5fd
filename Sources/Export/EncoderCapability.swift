public import Formats
import HEVCWriters

/// An encoder of still pictures that this machine has.
public struct EncoderCapability: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// What it makes.
  public let codec: String
  /// The files that it is used for.
  public let containers: [EncoderSettings.Container]
  /// Bits of a sample.
  public let bits: [Int]
  /// Whether it is a circuit of its own: none is, all run on the processor.
  public let isHardware: Bool

  /// Whether high range can be written with it.
  public var isHDRCapable: Bool { bits.contains { $0 >= 10 } }

  /// All that there are. Depths of HEVC are those that the installed library was built with.
  public static var all: [EncoderCapability] {
    func software(
      _ name: String, _ codec: String, _ container: EncoderSettings.Container,
      isBuilt: (Int) -> Bool = { _ in true }
    ) -> EncoderCapability {
      EncoderCapability(
        name: name, codec: codec, containers: [container],
        bits: container.descriptor.allBits.filter(isBuilt), isHardware: false)
    }
    return [
      software("x265", "hevc", .heif, isBuilt: HEVCEncoder.isAvailable),
      software("libaom", "av1", .avif), software("libjpeg-turbo", "jpeg", .jpeg),
      software("libpng", "png", .png), software("libtiff", "tiff", .tiff),
      software("libjxl", "jpeg-xl", .jpegXL),
    ]
  }
}

extension EncoderSettings {
  /// Throws where the ``encoder`` that is named does not write such files.
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
