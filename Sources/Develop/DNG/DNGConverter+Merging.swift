public import BracketMerge
import Containers
import DNGWriting
public import Formats
import Foundation
import ImageCore
import RawDecode
import RawFilter
import Recipes

extension DNGConverter {
  /// Writes a merged bracket as DNG to `target`, completely or not at all: mosaic samples in
  /// floating point, 1.0 where the shortest exposure saturates, so that it develops like the
  /// bracket. All other data come from the reference, `name`; `inputs` are all frames. ``bits`` are
  /// `half` or `float`; ``samples`` is ignored. `progress` gets the fraction that has been written,
  /// on any thread.
  public func convert(
    _ merged: BracketMerge.Merged, of inputs: [BracketMerge.Member], named name: String,
    to target: OutputDestination, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(DevelopError) -> Report {
    let start = ContinuousClock.now
    do {
      let (data, filter) = try merged.held(workers: workers)
      let raw = filter.rawFile
      guard raw.info.opcodes.actions(.stored, OpcodeSelection()).isEmpty else {
        throw RAWError(
          .unsupported, .merge,
          "its opcode list 1 trims the picture, which a DNG of merged samples cannot store; write "
            + "another format", path: name)
      }
      guard bits != .integers else {
        throw WriteError(
          .badSetting, "merged samples are more than 16-bit integers hold; take 16f or 32f",
          path: name)
      }
      let target = target.keeping(filter.sourceFiles)
      try target.check(OutputContent(.dng))
      var settings = DNGSettings(workers: workers)
      settings.compression = DNGSettings.Compression(rawValue: compression.rawValue) ?? .none
      settings.verifies = verifies
      let picture = LinearPicture(
        merged: bits == .half ? try data.roundedToHalves() : data, info: raw.info,
        isHalf: bits == .half)
      let stops = try raw.info.baselineExposure ?? Double(filter.resolvedBaselineExposure())
      let written = try DNGWriter(raw, settings, linear: picture).write(
        to: target, name: URL(fileURLWithPath: name).lastPathComponent,
        previews: try mergedPreviews(filter), digest: Self.digest(inputs),
        baselineExposure: stops, noise: raw.info.noiseProfile, progress: progress)
      var result = report(name, target.name, raw, Self.digest(inputs), written, since: start)
      (result.width, result.height) = (written.size.width, written.size.height)
      result.coding =
        "merged, \(bits.rawValue), \(result.compression.rawValue)"
        + (result.isVerified ? ", verified" : "")
      result.inputBytes = inputs.reduce(0) { $0 + $1.filter.rawFile.bytes.count }
      return result
    } catch {
      throw DevelopError(error, path: name)
    }
  }

  /// Of all frames in any order: the MD5 of their sorted MD5s.
  private static func digest(_ inputs: [BracketMerge.Member]) -> [UInt8] {
    let each = inputs.map(\.filter.rawFile.bytes.md5)
    return MD5.digest(each.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
  }

  /// Rendered from the merged picture; the reference's own previews show less range.
  private func mergedPreviews(_ filter: RAWFilter) throws -> DNGPreviews {
    preview == .none ? .none : previews(of: try rendered(filter), isDrawn: true)
  }
}

extension SensorData {
  /// The same in floats that half precision holds.
  fileprivate func roundedToHalves() throws(RAWError) -> SensorData {
    let count = samples.stride * samples.rows
    let most = Float(Float16.greatestFiniteMagnitude)
    let rounded = try RAWError.translating(.merge) { () throws(PixelError) in
      try samples.changed(of: Float.self) { target in
        for i in 0..<count { target[i] = Float(Float16(min(max(target[i], -most), most))) }
      }
    }
    return SensorData(size: size, layout: layout, samples: rounded, levels: levels)
  }
}
