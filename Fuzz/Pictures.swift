import Containers
import Foundation
import HDRRender
import ImageCore
import Readers
import Remux

@testable import RawDecode
@testable import RawFilter

/// Whole paths: bytes to pixels, and bytes to bytes.
enum Pictures {
  /// Small for small files, so that a picture takes milliseconds and one that takes more than these
  /// is found; as many pixels as bytes for large ones.
  static func limits(_ bytes: [UInt8]) -> DecodeLimits {
    let pixels = max(1 << 18, 2 * bytes.count)
    return DecodeLimits(maxFileBytes: 1 << 26, maxPixels: pixels, maxDecodeBytes: 512 * pixels)
  }
  private static func tile(of source: some PixelSource<DisplayReferred>) -> PixelRect {
    PixelRect(x: 0, y: 0, width: min(32, source.size.width), height: min(32, source.size.height))
  }

  private static func read(_ source: some PixelSource<DisplayReferred>) throws {
    let size = tile(of: source).size
    let corner = try corner(source)
    // A pixel does not depend on what is read with it.
    let (x, y) = (size.width / 3, size.height / 2)
    let part = PixelRect(x: x, y: y, width: size.width - x, height: size.height - y)
    let expected = corner.enumerated().filter { index, _ in
      index % size.width >= x && index / size.width % size.height >= y
    }.map(\.element)
    let isSame = zip(try samples(source, part), expected).allSatisfy { a, b in
      let (a, b) = (Float(bitPattern: a), Float(bitPattern: b))
      // Black behind black rows differs by some 1e-11.
      return abs(a - b) <= 1e-6 * max(1, abs(a)) || a.bitPattern == b.bitPattern
    }
    guard isSame else { fatalError("pixels differ by what is read") }
  }

  /// The samples of a tile.
  static func corner(_ source: some PixelSource<DisplayReferred>) throws -> [UInt32] {
    try samples(source, tile(of: source))
  }

  /// The bits of the samples in `rect`, plane by plane.
  private static func samples(
    _ source: some PixelSource<DisplayReferred>, _ rect: PixelRect
  ) throws -> [UInt32] {
    let buffer = try PlanarBuffer(size: rect.size)
    try source.read(rect, into: buffer)
    return (0..<3).flatMap { plane in
      (0..<rect.height).flatMap { y in
        let row = buffer.row(plane, y)
        // Zeros of both signs are one.
        return (0..<rect.width).map { x in row[x].isNaN ? 0x7FC0_0000 : (row[x] + 0).bitPattern }
      }
    }
  }

  /// `adjust`: what is asked of the picture, beside the defaults.
  static func raw(_ bytes: [UInt8], adjust: (inout RAWFilter) -> Void = { _ in }) throws {
    let opened = attempt { try RAWFilter(data: Data(bytes), limits: limits(bytes)) }
    if let file = attempt({ try FileBytes(bytes, limits: limits(bytes)) }) {
      _ = EmbeddedPreview.ofUndecoded(file)
      if let tiff = try? TIFFFile(file) { _ = StoredThumbnail(in: tiff, file) }
    }
    guard var filter = opened else { return }
    filter.workers = 1
    adjust(&filter)
    if let preview = filter.previewImage {
      _ = (preview.jpeg(declaring: filter.previewOrientation), preview.decode(maxSide: 32))
      _ = (filter.rawFile.colors(of: preview), filter.seriesFrame)
    }
    _ = (filter.contents, filter.properties, filter.profiles, filter.warnings)
    for matte in filter.semanticMattes { attempt { try matte.image() } }
    if let mask = filter.transparencyMask { attempt { try mask.image() } }
    if let depth = filter.depthMap { attempt { try (depth.meters(0.5), depth.image()) } }
    for profile in filter.storedProfiles {
      _ = (profile.name, profile.isHDR, profile.entries.values.map(\.littleEndianBytes))
    }
    for map in filter.storedGainTableMaps { _ = map.entry.littleEndianBytes }
    // As a converter to DNG takes it.
    let file = filter.rawFile
    _ = file.contentUUID
    attempt { try file.decodeStored(workers: 1) }
    attempt { try file.decodeStored(rows: 0..<min(2, file.info.storedSize.height), workers: 1) }
    if let rendition = attempt({ try filter.rendition() }) { try read(rendition) }
    // Of superpixels, with what is measured on them: of small pictures, all of which it reads.
    guard filter.nativeSize.area <= 1 << 14 else { return }
    filter.scaleFactor = 0.25
    filter.isAutomaticWhiteBalanceEnabled = true
    if let rendition = attempt({ try filter.rendition() }) { try read(rendition) }
  }

  static func still(_ bytes: [UInt8]) throws {
    // Asked of what lies where an output is to go.
    if let file = try? FileBytes(bytes, limits: limits(bytes)) {
      let software = WritingSoftware(in: file)
      _ = (software.isEditedByOthers, software.source)
    }
    guard let image = attempt({ try StillImage(bytes, limits: limits(bytes)) }) else { return }
    _ = (image.metadata, image.channels, image.contentHeadroom, image.contentUUID)
    _ = (image.format, image.failedISOHDRRules.map(\.requirement), image.gainMapParameters)
    if let light = attempt({ try image.linear(.high) }) { try read(light) }
    if let base = attempt({ try image.base(minSide: 16) }) { try read(base) }
    attempt { try image.auxiliaryGainMap()?.image() }
    attempt { try image.uprightGainMapImage() }
    attempt { try image.storedSamples() }
    // What is damaged, as far as its decoder goes.
    let shown = attempt { try StillImage(bytes, limits: limits(bytes), policy: .show).base() }
    if let shown { try read(shown) }
  }

  static func remux(_ bytes: [UInt8]) {
    var opened: GainMapEditor?
    ScratchFile.with(bytes) { path in
      let url = URL(fileURLWithPath: path)
      opened = attempt { try GainMapEditor(contentsOf: url, limits: limits(bytes)) }
    }
    guard let editor = opened else { return }
    let coded = attempt { try editor.codedGainMap() }
    attempt { try editor.discardingGainMap() }
    attempt { try editor.removingHDR() }
    // What is put back is the map itself, with what the file says of it; else a new one.
    if let coded, let coded { attempt { try editor.replacingGainMap(.jpeg(coded), workers: 1) } }
    let coding = editor.image.codedSize
    let size = PixelSize(width: max(coding.width / 2, 1), height: max(coding.height / 2, 1))
    guard size.area < 1 << 14, let other = other(size) else { return }
    let map = attempt { try editor.image.gainMapImage() } ?? other
    let parameters = editor.image.gainMapParameters
    attempt { try editor.replacingGainMap(.image(map), parameters: parameters, workers: 1) }
    attempt { try editor.replacingGainMap(.image(other), parameters: others, workers: 1) }
  }

  private static func other(_ size: PixelSize) -> GainMapImage? {
    let codes = (0..<size.area).map { UInt8(truncatingIfNeeded: $0) }
    return try? GainMapImage(size: size, channels: 1, bytes: codes)
  }

  /// A map of a headroom of 4 in each of the forms.
  private static let others: GainMapParameters? = {
    let channel = try? GainMapMetadata.Channel(
      minimumStops: 0, maximumStops: 2, gamma: 1, baseOffset: 0.01, alternateOffset: 0.01)
    guard let channel,
      let iso = try? GainMapMetadata(
        channels: [channel], baseHeadroomStops: 0, alternateHeadroomStops: 2,
        usesBaseColorSpace: true)
    else { return nil }
    return GainMapParameters(
      iso: iso, ultraHDR: HDRGMValues(iso), apple: AppleGainMap(version: 65536),
      maker: AppleGainMap.MakerValues(headroom: 4))
  }()

  private static let sound = try? RAWFilter(
    url: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/sunset-bayer.dng"))

  static func cameraProfile(_ bytes: [UInt8]) {
    guard let raw = sound?.file else { fatalError("no Fixtures/sunset-bayer.dng") }
    ScratchFile.with(bytes) { path in attempt { try CameraProfileFile(path: path, for: raw) } }
  }

  static func look(_ bytes: [UInt8]) {
    ScratchFile.with(bytes) { path in
      attempt { try LUTFile.read(path) }
      attempt { try SeriesFile.read(path) }
    }
  }
}
