import ArgumentParser
import ImageCore

/// HDR metadata of an output other than measured ones.
struct HDRMetadataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "MaxCLL and MaxFALL, cd/m², instead of the measured ones.", valueName: "max,mean"))
  var contentLight: NumberList?

  @Option(
    help: ArgumentHelp(
      """
      Mastering display: bt2020, display-p3 or srgb, and its maximum and minimum luminance, cd/m².
      """,
      valueName: "primaries,max,min"))
  var masteringDisplay: MasteringDisplayArgument?

  @Option(
    help: ArgumentHelp(
      "Luminance range of the content, cd/m², up to 429. (HEIF and AVIF)",
      valueName: "min,max,mean"))
  var contentVolume: NumberList?

  @Option(
    help: ArgumentHelp(
      "Ambient light of the viewer: lux, then its chromaticity if not D65. (HEIF and AVIF)",
      valueName: "lux[,x,y]"))
  var ambient: NumberList?

  @Option(
    help: ArgumentHelp("Luminance of diffuse white, cd/m². (HEIF and AVIF)", valueName: "nits"))
  var diffuseWhite: Double?

  /// The options as metadata of a file.
  var metadata: HDRMetadata {
    get throws {
      var metadata = HDRMetadata()
      if let v = try values(contentLight, "--content-light", 2...2) {
        guard v[1] <= v[0] else {
          throw ValidationError("--content-light takes max,mean with a mean that is not larger")
        }
        metadata.contentLight = .init(maximumNits: v[0], averageNits: v[1])
      }
      metadata.masteringDisplay = masteringDisplay?.display
      if let v = try values(contentVolume, "--content-volume", 3...3) {
        guard v[0] <= v[2], v[2] <= v[1] else {
          throw ValidationError("--content-volume takes min,max,mean with the mean between both")
        }
        metadata.contentVolume = .init(minimumNits: v[0], maximumNits: v[1], averageNits: v[2])
      }
      if let v = try values(ambient, "--ambient", 1...3) {
        guard v.count != 2, v.dropFirst().allSatisfy({ $0 <= 1 }) else {
          throw ValidationError("--ambient takes a number of lux, or lux,x,y")
        }
        metadata.ambient = .init(
          lux: v[0], color: v.count == 3 ? Chromaticity(x: v[1], y: v[2]) : .d65)
      }
      if let diffuseWhite {
        guard diffuseWhite > 0, diffuseWhite <= 10_000 else {
          throw ValidationError("--diffuse-white takes cd/m², more than 0 and up to 10000")
        }
        metadata.diffuseWhiteNits = diffuseWhite
      }
      return metadata
    }
  }

  private func values(
    _ list: NumberList?, _ name: String, _ count: ClosedRange<Int>
  ) throws -> [Double]? {
    guard let numbers = list?.numbers else { return nil }
    guard count.contains(numbers.count), numbers.allSatisfy({ (0...1e5).contains($0) }) else {
      let expected =
        count.count == 1 ? "\(count.upperBound)" : "\(count.lowerBound) to \(count.upperBound)"
      throw ValidationError(
        "\(name) takes \(expected) comma-separated numbers from 0 to 100000")
    }
    return numbers
  }
}

/// Numbers with commas between them.
struct NumberList: ExpressibleByArgument {
  let numbers: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, numbers.allSatisfy(\.isFinite) else { return nil }
    self.numbers = numbers
  }

  /// The numbers where there are `count` and all are integers; otherwise nil.
  func integers(_ count: Int) -> [Int]? {
    let integers = numbers.compactMap { Int(exactly: $0) }
    return integers.count == count && numbers.count == count ? integers : nil
  }

  /// The value of the option `name` as a size: two sides that a picture can have.
  func pixelSize(_ name: String) throws -> PixelSize {
    guard let sides = integers(2),
      sides.allSatisfy({ (1...PixelSize.largestSide).contains($0) })
    else {
      throw ValidationError(
        "\(name) takes two integers from 1 to \(PixelSize.largestSide) with a comma between them"
      )
    }
    return PixelSize(width: sides[0], height: sides[1])
  }
}

/// Primaries, maximum and minimum luminance of a display.
struct MasteringDisplayArgument: ExpressibleByArgument {
  let display: HDRMetadata.MasteringDisplay

  init?(argument: String) {
    let parts = argument.split(separator: ",", maxSplits: 1)
    let names: [Substring: Primaries] = [
      "bt2020": .bt2020, "display-p3": .displayP3, "srgb": .srgb,
    ]
    guard parts.count == 2, let primaries = names[parts[0]],
      let nits = NumberList(argument: String(parts[1]))?.numbers, nits.count == 2,
      nits[0] > nits[1], nits[1] >= 0, nits[0] <= 10_000
    else { return nil }
    let c = primaries.chromaticities
    display = .init(
      red: c.red, green: c.green, blue: c.blue, white: .d65, maximumNits: nits[0],
      minimumNits: nits[1])
  }
}
