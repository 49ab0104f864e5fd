import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Readers

/// JPEG files of others and what independent readers make of them (grids of 8 by 6 cell means).
@Suite struct JPEGTruthTests {
  struct Expectation: Sendable, CustomStringConvertible {
    var name: String
    var formats: [GainMapFormat]
    /// In the Exif block, as exiftool extracts it.
    var thumbnail: PixelSize?
    var description: String { name }
  }

  static let files = [
    Expectation(name: "apple_jpeg_gainmap", formats: [.apple]),
    Expectation(
      name: "iso_uhdr_vearutop", formats: [.iso, .ultraHDR],
      thumbnail: PixelSize(width: 256, height: 171)),
    Expectation(
      name: "uhdr_gainmapjs_08", formats: [.ultraHDR],
      thumbnail: PixelSize(width: 256, height: 144)),
    Expectation(name: "uhdr_vips", formats: [.ultraHDR]),
  ]

  @Test(arguments: files)
  func recognized(_ expected: Expectation) throws {
    let (image, truth) = try StillTruth.file("\(expected.name).jpg")
    let size = try #require(truth.at("upright_size") as? [Int])
    #expect([image.size.width, image.size.height] == size)
    #expect(image.orientation.rawValue == truth.at("orientation") as? Int)
    #expect(image.bitDepth == truth.at("bit_depth") as? Int && image.channels == 3)
    #expect(image.thumbnails == [expected.thumbnail].compactMap { $0 })
    let map = try #require(image.gainMap)
    #expect(map.formats == expected.formats)
    #expect(map.size.width == truth.at("gain_map", "width") as? Int)
    #expect(map.size.height == truth.at("gain_map", "height") as? Int)
    #expect(map.channels == truth.at("gain_map", "channels") as? Int)
    switch map.formula {
    case .apple(let headroom):
      #expect(headroom == truth.at("apple", "apple_xmp_headroom") as? Double)
      let maker = try #require(image.makerApple)
      #expect(abs(maker.headroom33 - (truth.at("apple", "maker_33") as? Double ?? 0)) < 1e-9)
      #expect(maker.gain48 == truth.at("apple", "maker_48") as? Double)
    case .iso(let metadata):
      let format = map.formats[0] == .iso ? "iso" : "hdrgm"
      func value(_ any: Any?) -> Double { (any as? NSNumber)?.doubleValue ?? .nan }
      let stated = truth.at("gain_map", "metadata", format) as? [String: Any] ?? [:]
      #expect(metadata.baseHeadroomStops == value(stated["base_hdr_headroom"]))
      #expect(metadata.alternateHeadroomStops == value(stated["alternate_hdr_headroom"]))
      let channels = try #require(stated["channels"] as? [[String: Any]])
      #expect(metadata.channels.count == channels.count)
      for (read, stated) in zip(metadata.channels, channels) {
        // Its decimals do not always read back as the double they were.
        #expect(abs(read.minimumStops - value(stated["gain_map_min"])) < 1e-14)
        #expect(abs(read.maximumStops - value(stated["gain_map_max"])) < 1e-14)
        #expect(abs(read.gamma - value(stated["gamma"])) < 1e-14)
        #expect(abs(read.baseOffset - value(stated["base_offset"])) < 1e-14)
        #expect(abs(read.alternateOffset - value(stated["alternate_offset"])) < 1e-14)
      }
    }
  }

  @Test(arguments: files)
  func linear(_ expected: Expectation) throws {
    let (image, truth) = try StillTruth.file("\(expected.name).jpg")
    let base = try image.base()
    try compare(base, truth.grid("base_linear", "grid") ?? [], "\(expected.name), base")
    let won = try #require(truth.at("metadata_that_won") as? String)
    guard case .gainMap(let picture) = try image.picture().content else {
      Issue.record("no gain map")
      return
    }
    try compare(
      picture.rendition(displayHeadroom: picture.headrooms.upperBound),
      truth.grid("hdr_renditions", won, "grid") ?? [], "\(expected.name), expanded")
  }

  private func compare(
    _ source: any PixelSource<DisplayReferred>, _ grid: [[Double]], _ what: String
  ) throws {
    #expect(grid.count == 48)
    var worst = 0.0
    for cell in StillTruth.cells where cell < grid.count {
      let (read, stated) = (try mean(of: source, cell), grid[cell])
      for channel in 0..<3 {
        let error = abs(read[channel] - stated[channel])
        worst = max(worst, error / max(stated[channel], StillTruth.floor / StillTruth.fraction))
        #expect(
          error <= max(StillTruth.fraction * stated[channel], StillTruth.floor),
          "\(what), cell \(cell), \(channel)")
      }
    }
    print("\(what): worst cell differs by \(worst * 100) %")
  }

  private func mean(of source: any PixelSource<DisplayReferred>, _ cell: Int) throws -> [Double] {
    let (column, row) = (cell % 8, cell / 8)
    let (width, height) = (source.size.width, source.size.height)
    let (left, right) = (column * width / 8, (column + 1) * width / 8)
    let (top, bottom) = (row * height / 6, (row + 1) * height / 6)
    let buffer = try PlanarBuffer(size: PixelSize(width: right - left, height: 1))
    var sums = [0.0, 0.0, 0.0]
    for y in top..<bottom {
      try source.read(PixelRect(x: left, y: y, width: right - left, height: 1), into: buffer)
      for channel in 0..<3 {
        let values = buffer.row(channel, 0).prefix(right - left).buffer
        sums[channel] += values.reduce(0.0) { $0 + Double($1) }
      }
    }
    return sums.map { $0 / Double((right - left) * (bottom - top)) }
  }
}
