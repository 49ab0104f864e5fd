import Containers
import Export
import Formats
import Foundation
import ImageCore
import Recipes

extension Recipe.Output {
  /// Longest ICC profile that is read.
  private static let maxProfileBytes = 16 << 20

  /// The exporter of this output, with its ICC profile read and checked. Throws `WriteError`.
  func exporter(workers: Int) throws(WriteError) -> StillExporter {
    guard let iccProfile else { return try StillExporter(encoding, workers: workers) }
    let file: FileBytes
    do {
      file = try FileBytes(
        path: iccProfile, limits: DecodeLimits(maxFileBytes: Self.maxProfileBytes))
    } catch {
      let reason =
        error.code == .cannotRead
        ? "no ICC profile can be read there; name an .icc or .icm file" : error.message
      throw WriteError(.badProfile, reason, path: iccProfile)
    }
    guard let bytes = file.bytes(0, file.count) else {
      throw WriteError(.badProfile, "the ICC profile is empty; name another", path: iccProfile)
    }
    do { return try StillExporter(encoding(bytes), workers: workers) } catch {
      throw WriteError(
        error.code, error.message, path: error.code == .badProfile ? iccProfile : error.path,
        remedies: error.remedies)
    }
  }
}

extension Recipe.Output {
  /// `destination` for a file made of `sources`, which does not replace them or the ICC profile.
  /// Throws where this output must not be written there.
  func checked(
    _ destination: OutputDestination, of sources: Set<FileIdentity>
  ) throws(WriteError) -> OutputDestination {
    let guarded = destination.keeping(
      sources.union([iccProfile].compactMap { $0.flatMap { FileIdentity(path: $0) } }))
    try guarded.check(OutputContent(format.container))
    return guarded
  }
}

extension StillExporter {
  /// Inputs of file IDs besides the settings: the ICC profile, if any.
  var profileTexts: [String] {
    settings.profile.map { [Data($0.bytes).base64EncodedString()] } ?? []
  }
}
