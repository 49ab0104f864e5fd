@testable import Develop

extension SourceInfo {
  /// Facts of a raw that does not exist.
  static func made(xxh128: String = "00", model: String? = nil) -> SourceInfo {
    SourceInfo(
      xxh128: xxh128, make: "Fake", model: model, lens: nil, iso: 100, date: "2026:11:20 10:11:12",
      orientation: 1, profiles: [], pixels: 1000, aspect: 1.5, hasLensCorrections: false,
      packedXMP: nil)
  }
}
