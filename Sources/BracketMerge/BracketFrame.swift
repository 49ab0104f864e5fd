import ImageCore
import RawDecode
import RawFilter
import RawSensor

/// One frame of a bracket: an opened raw, and what its Exif says of its exposure.
struct BracketFrame: Sendable {
  let name: String
  let filter: RAWFilter
  /// Exposure that the samples are proportional to: shutter time · ISO speed / f-number².
  let nominalExposure: Double

  private var file: RawFile { filter.file }
  /// What exposures are possible, with some stops to spare: from 1/32000 s at ISO 25 and f/64 to a
  /// day at ISO 10,000,000 and f/0.7. Squares of their ratios are within the range of floats.
  private static let exposures = 0x1p-40...0x1p42
  /// Stops between the ends of that.
  static let maxStops = Double((exposures.upperBound / exposures.lowerBound).exponent)

  /// The frames of `members`, the shortest exposure first, in an order that does not depend on the
  /// order of the members. Throws for frames that do not match, naming the file.
  static func frames(of members: [BracketMerge.Member]) throws(RAWError) -> [BracketFrame] {
    try BracketMerge.requireCount(members.count)
    guard let first = members.first else {
      throw RAWError(.badSetting, .merge, "no files given; name the frames of a bracket")
    }
    for member in members.dropFirst() { try require(member, like: first) }
    // What one frame lacks is the same for all.
    let hasSpeed = members.allSatisfy { ($0.filter.properties.isoSpeed ?? 0) > 0 }
    let hasAperture = members.allSatisfy { ($0.filter.properties.fNumber ?? 0) > 0 }
    var keys: [(frame: BracketFrame, uuid: String)] = []
    for member in members {
      let exif = member.filter.properties
      guard let seconds = exif.exposureTime, seconds > 0, seconds.isFinite else {
        throw RAWError(
          .unsupported, .merge,
          "no exposure time in its Exif; write it there or leave "
            + "the file out",
          path: member.name)
      }
      var exposure = seconds
      if hasSpeed { exposure *= Double(exif.isoSpeed ?? 1) }
      if hasAperture, let aperture = exif.fNumber { exposure /= aperture * aperture }
      guard exposures.contains(exposure) else {
        throw RAWError(
          .damaged, .merge,
          "its Exif says that it was exposed for \(seconds) s, at ISO speed "
            + "\(exif.isoSpeed ?? 0) and f/\(exif.fNumber ?? 0), which no camera does; correct it "
            + "or leave it out",
          path: member.name)
      }
      keys.append(
        (
          BracketFrame(name: member.name, filter: member.filter, nominalExposure: exposure),
          member.filter.contentUUID
        ))
    }
    for (i, key) in keys.enumerated() {
      guard let other = keys[..<i].first(where: { $0.uuid == key.uuid }) else { continue }
      throw RAWError(
        .badSetting, .merge, "is the same picture as \(other.frame.name); name each frame once",
        path: key.frame.name)
    }
    return keys.sorted {
      ($0.frame.nominalExposure, $0.uuid) < ($1.frame.nominalExposure, $1.uuid)
    }.map(\.frame)
  }

  private static func require(
    _ member: BracketMerge.Member, like first: BracketMerge.Member
  ) throws(RAWError) {
    let (info, model) = (member.filter.file.info, first.filter.file.info)
    func refuse(_ what: String) -> RAWError {
      RAWError(
        .unsupported, .merge,
        "\(what); frames of a bracket need one camera, size and color filter pattern",
        path: member.name)
    }
    guard info.cameraName == model.cameraName else {
      throw refuse("is of \(info.cameraName), and \(first.name) of \(model.cameraName)")
    }
    guard info.size == model.size, info.crop == model.crop else {
      throw refuse(
        "has \(info.size) pixels (\(info.crop.size) visible), and \(first.name) "
          + "\(model.size) (\(model.crop.size))")
    }
    guard info.layout == model.layout else {
      throw refuse("has another color filter pattern than \(first.name)")
    }
  }

  /// Frame `number` of the same file.
  func frame(_ number: Int) -> BracketFrame {
    var filter = filter
    filter.frameNumber = number
    return BracketFrame(
      name: "\(name), frame \(number)", filter: filter, nominalExposure: nominalExposure)
  }

  /// The samples after opcode list 1.
  func samples(workers: Int) throws(RAWError) -> SensorData {
    do { return try file.storedData(workers: workers) } catch { throw error.naming(name) }
  }
}
