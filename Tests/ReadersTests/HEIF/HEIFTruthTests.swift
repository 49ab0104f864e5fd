import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Readers

/// HEIC, HIF and AVIF files of cameras and other writers, against what independent readers say of
/// them (libheif 1.23.6, libavif 1.4.0, exiftool): tables, grids of 8 by 6 cell means, single
/// codes.
@Suite struct HEIFTruthTests {
  struct Expectation: Sendable, CustomStringConvertible {
    var name: String
    var kind: StillKind = .heif
    var channels = 3
    var formats: [GainMapFormat] = []
    var mapSize: PixelSize?
    /// Long sides.
    var thumbnails: [Int] = []
    /// Name of the rendition with the full map.
    var rendition: String?
    var make: String?
    var description: String { name }
  }

  static let files = [
    Expectation(
      name: "apple_greyhounds.heic", formats: [.apple],
      mapSize: PixelSize(width: 1512, height: 2016),
      thumbnails: [320], rendition: "apple_maker_formula", make: "Apple"),
    Expectation(
      name: "apple_iphone15pro.heic", formats: [.apple],
      mapSize: PixelSize(width: 1512, height: 2016), thumbnails: [320],
      rendition: "apple_xmp_headroom", make: "Apple"),
    Expectation(
      name: "iso_apple_IMG_4682.HEIC", formats: [.iso, .apple],
      mapSize: PixelSize(width: 1512, height: 2016), thumbnails: [416], rendition: "iso_21496_1",
      make: "Apple"),
    Expectation(
      name: "iso_libavif_seine_sdr_gainmap.avif", kind: .avif, formats: [.iso],
      mapSize: PixelSize(width: 400, height: 300), rendition: "iso_21496_1", make: "Google"),
    Expectation(
      name: "pq_brightroom_sun_rec2020.avif", kind: .avif, make: "LEICA CAMERA AG"),
    Expectation(name: "pq_libavif_seine_hdr_rec2020.avif", kind: .avif, make: "Google"),
    Expectation(name: "pq_canon_93FG5564.hif", thumbnails: [320, 1620], make: "Canon"),
    Expectation(name: "synthetic_test_hlg.heif"),
  ]

  @Test(arguments: files)
  func tables(_ expected: Expectation) throws {
    let (still, truth) = try StillTruth.file(expected.name)
    #expect(still.kind == expected.kind && still.channels == expected.channels)
    let size = try #require(truth.numbers("upright_size"))
    #expect(still.size == PixelSize(width: Int(size[0]), height: Int(size[1])))
    #expect(still.orientation == .up)
    #expect(Double(still.bitDepth) == truth.number("bit_depth"))
    let points = ["color_primaries", "transfer_characteristics", "matrix_coefficients"].map {
      truth.number("nclx", $0).map { UInt16($0) }
    }
    if points[0] != nil { #expect(still.color.codePoints.map { $0.map(Optional.some) } == points) }
    if truth.at("icc_profile") is String { #expect(still.color.profile?.isEmpty == false) }
    let levels = truth.numbers("item_structure", "clli") ?? truth.numbers("clli")
    #expect(still.hdrMetadata.contentLight?.maximumNits == levels?[0])
    #expect(still.hdrMetadata.contentLight?.averageNits == levels?[1])
    #expect(still.thumbnails.map { max($0.width, $0.height) } == expected.thumbnails)
    #expect(still.metadata.make == expected.make)
    #expect(still.notes.isEmpty)
    #expect(still.isHighDynamicRange == (truth.at("cicp") != nil))
    let (map, maker) = (still.gainMap, still.makerApple)
    #expect(map?.formats ?? [] == expected.formats && map?.size == expected.mapSize)
    let channels = truth.number("gain_map", "channels").map { Int($0) }
    #expect(map?.channels == channels && (map == nil || map?.bitDepth == 8))
    #expect((maker == nil) == (truth.number("apple", "maker_33") == nil))
    if let maker, let a = truth.number("apple", "maker_33"),
      let b = truth.number("apple", "maker_48")
    {
      #expect(abs(maker.headroom33 - a) < 1e-6 && abs(maker.gain48 - b) < 1e-6)
    }
  }

  @Test(arguments: files.filter { $0.rendition != nil })
  func parameters(_ expected: Expectation) throws {
    let (still, truth) = try StillTruth.file(expected.name)
    let map = try #require(still.gainMap)
    switch map.formula {
    case .apple(let headroom):
      let stated = try #require(
        truth.number("apple", "apple_xmp_headroom") ?? truth.number("apple", "apple_maker_formula"))
      #expect(abs(headroom - stated) < 1e-5)
    case .iso(let metadata):
      let stated = { truth.number("gain_map", "metadata", "iso", $0) }
      #expect(abs(metadata.baseHeadroomStops - (stated("base_hdr_headroom") ?? .nan)) < 1e-5)
      #expect(
        abs(metadata.alternateHeadroomStops - (stated("alternate_hdr_headroom") ?? .nan)) < 1e-5)
      let channels = try #require(
        truth.at("gain_map", "metadata", "iso", "channels") as? [[String: NSNumber]])
      #expect(metadata.channels.count == channels.count)
      for (channel, values) in zip(metadata.channels, channels) {
        let read = [
          ("gain_map_min", channel.minimumStops), ("gain_map_max", channel.maximumStops),
          ("gamma", channel.gamma), ("base_offset", channel.baseOffset),
          ("alternate_offset", channel.alternateOffset),
        ]
        for (name, value) in read {
          #expect(abs(value - (values[name]?.doubleValue ?? .nan)) < 2e-6)
        }
      }
    }
  }

  /// Linear values in `primaries`, whatever the source's.
  private func means(
    _ source: any PixelSource<DisplayReferred>, in primaries: Primaries, cell: Int
  ) throws -> [Double] {
    let size = source.size
    let (i, j) = (cell % 8, cell / 8)
    let (x, y) = (i * size.width / 8, j * size.height / 6)
    let rect = PixelRect(
      x: x, y: y, width: (i + 1) * size.width / 8 - x, height: (j + 1) * size.height / 6 - y)
    let buffer = try PlanarBuffer(size: rect.size)
    try source.read(rect, into: buffer)
    var sums = SIMD3<Double>(0, 0, 0)
    for y in 0..<rect.height {
      for plane in 0..<3 {
        let row = buffer.row(plane, y).prefix(rect.width).buffer
        sums[plane] += row.reduce(0) { $0 + Double($1) }
      }
    }
    let mean = source.info.primaries.conversion(to: primaries) * (sums / Double(rect.size.area))
    return [mean.x, mean.y, mean.z]
  }

  private func compare(
    _ source: any PixelSource<DisplayReferred>, _ grid: [[Double]], _ primaries: Primaries,
    fraction: Double, _ name: String
  ) throws {
    var worst = 0.0
    for cell in StillTruth.cells {
      for (read, true_) in zip(try means(source, in: primaries, cell: cell), grid[cell]) {
        let off = max(abs(read - true_) - StillTruth.floor, 0)
        if off > 0 { worst = max(worst, off / true_) }
        #expect(off <= fraction * true_, "\(name), cell \(cell): \(read), should be \(true_)")
      }
    }
    print("\(name): cells within \(String(format: "%.3f", worst * 100)) %")
  }

  /// A profile that is not read leaves P3 numbers under the name of sRGB.
  private func primaries(_ still: StillImage, _ truth: StillTruth) -> Primaries {
    truth.at("icc_profile") is String && still.color.origin == .profile
      ? .displayP3 : still.color.primaries
  }

  @Test(arguments: files)
  func linear(_ expected: Expectation) throws {
    let (still, truth) = try StillTruth.file(expected.name)
    let grid = try #require(truth.grid("linear", "grid") ?? truth.grid("base_linear", "grid"))
    try compare(
      try still.base(), grid, primaries(still, truth), fraction: StillTruth.fraction,
      "\(expected.name) base")
  }

  /// The kernel that enlarges the map is not fixed by any standard; the files say to allow 1 %.
  @Test(arguments: files.filter { $0.rendition != nil })
  func expanded(_ expected: Expectation) throws {
    let (still, truth) = try StillTruth.file(expected.name)
    let grid = try #require(truth.grid("hdr_renditions", expected.rendition ?? "", "grid"))
    try compare(
      try still.linear(.high), grid, primaries(still, truth), fraction: StillTruth.fraction,
      "\(expected.name) expanded")
  }

  @Test(arguments: files)
  func codes(_ expected: Expectation) throws {
    let (still, truth) = try StillTruth.file(expected.name)
    guard let pixels = truth.at("pixels") as? [[String: Any]] else { return }
    let picture = try still.container.picture()
    #expect(picture.size == still.size && picture.format == .codes(bits: still.bitDepth))
    for pixel in pixels {
      let x = try #require(pixel["x"] as? Int)
      let row = picture.row(try #require(pixel["y"] as? Int)).assumingMemoryBound(to: UInt16.self)
      let code = (0..<3).map { Int(row[3 * x + $0]) }
      let stated = try #require(pixel["code"] as? [Int])
      #expect(zip(code, stated).allSatisfy { abs($0 - $1) <= 1 }, "\(code), should be \(stated)")
    }
  }

  /// On a display of reference white a map adds nothing: the base itself, bit for bit.
  @Test func standardDisplayGetsTheBase() throws {
    let (still, _) = try StillTruth.file("iso_libavif_seine_sdr_gainmap.avif")
    let (base, shown) = (try still.base(), try still.linear(.standard))
    let rect = PixelRect(base.size)
    let (a, b) = (try PlanarBuffer(size: rect.size), try PlanarBuffer(size: rect.size))
    try base.read(rect, into: a)
    try shown.read(rect, into: b)
    for y in 0..<rect.height {
      for plane in 0..<3 {
        let (p, q) = (a.row(plane, y).start, b.row(plane, y).start)
        #expect(memcmp(p, q, 4 * rect.width) == 0)
      }
    }
  }
}
