import ImageCore

@testable import RawDecode

extension LibRawMetadata {
  /// A Bayer raw of 14 bits by `make` and `model`, with this matrix, black and white from LibRaw.
  static func example(
    _ make: String, _ model: String, matrix: [Double] = [], black: Double = 0,
    maximum: Double = 16383, iso: Double = 100
  ) -> LibRawMetadata {
    LibRawMetadata(
      make: make, model: model, normalizedMake: make, normalizedModel: model, software: "",
      dngVersion: 0, isFoveon: false, colors: 3, filters: 0x9494_9494,
      letters: ["R", "G", "B", "G"],
      rawWidth: 64, rawHeight: 48, width: 64, height: 48, left: 0, top: 0, masks: [],
      pixelAspect: 1, flip: 0, cameraGains: [2, 1, 1.5, 1], daylightGains: [2, 1, 1.5, 1],
      matrix: matrix + [Double](repeating: 0, count: 12 - matrix.count), isBalanced: false,
      black: black, channelBlack: [0, 0, 0, 0], maximum: maximum, linearMaxima: [0, 0, 0, 0],
      isDiagonal: false, filterPeriod: .init(width: 2, height: 8),
      filterIndices: [0, 1, 3, 2, 0, 1, 3, 2, 0, 1, 3, 2, 0, 1, 3, 2], iso: iso, shutter: 0,
      aperture: 0, focalLength: 0, timestamp: 0, description: "", artist: "", lens: "",
      lensRange: [])
  }
}
