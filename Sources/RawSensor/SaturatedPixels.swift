package import ImageCore
import RawData

/// Which channels of a picture are saturated at the sensor, as a picture: the fraction, 0…1, of the
/// photosites of a channel under a pixel that are saturated. Defects do not count; the treatment of
/// highlights does not matter.
///
/// A pixel at full resolution has the value of the block of the pattern around it
/// (``SuperpixelReduction``), so positions are accurate to one photosite, two for X-Trans.
struct SaturatedPixels: PixelSource {
  typealias State = CameraRGB

  let size: PixelSize
  var info: CameraRGB.Info { CameraRGB.Info() }
  private let pixels: SensorPixels
  private let bounds: PeakBounds
  private let fullSize: PixelSize
  /// Photosites along a pixel.
  private let step: Int
  private let pool = WorkspacePool { SensorWorkspace() }

  init(
    _ pixels: SensorPixels, _ bounds: PeakBounds, fullSize: PixelSize, size: PixelSize, step: Int
  ) {
    self.pixels = pixels
    self.bounds = bounds
    (self.fullSize, self.size, self.step) = (fullSize, size, step)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    try pool.with { work throws(PixelError) in
      let block = PixelSize(
        width: max(BlockExtrema.blockWidth / step, 1),
        height: max(BlockExtrema.blockHeight / step, 1))
      for tile in rect.tiles(width: block.width, height: block.height) {
        if isAnySaturated(tile) {
          try read(tile, of: rect, into: buffer, work)
        } else {
          for channel in 0..<3 {
            for y in tile.y..<tile.endY {
              buffer.row(channel, y - rect.y).from(tile.x - rect.x)
                .update(repeating: 0, count: tile.width)
            }
          }
        }
      }
    }
  }

  /// Whether the blocks of the mosaic that `tile` is made of have a sample at its clip level.
  private func isAnySaturated(_ tile: PixelRect) -> Bool {
    let sites = photosites(tile, block: 1)
    let (width, height) = (BlockExtrema.blockWidth, BlockExtrema.blockHeight)
    let last = bounds.extrema.count
    for y in sites.y / height...min((sites.endY - 1) / height, last.height - 1) {
      for x in sites.x / width...min((sites.endX - 1) / width, last.width - 1) {
        let high = bounds.extrema.block(x: x, y: y).high
        if (0..<4).contains(where: { high[$0] >= bounds.clip[$0] }) { return true }
      }
    }
    return false
  }

  private func read(
    _ tile: PixelRect, of rect: PixelRect, into buffer: PlanarBuffer, _ work: SensorWorkspace
  ) throws(PixelError) {
    switch pixels {
    case .linear(let linear):
      for channel in 0..<3 {
        let plane = work.planes[channel]
        try plane.reshape(photosites(tile, block: 1))
        linear.levels.load(plane, sample: channel)
        mark(tile, of: rect, channel, block: 1, into: buffer) { x, y in
          plane.row(y)[x - plane.rect.x] >= linear.clip[channel] ? (1, 1) : (0, 1)
        }
      }
    case .mosaic(var mosaic, _, let reduction):
      (mosaic.highlights, mosaic.lateral) = (nil, nil)
      let plane = try mosaic.load(photosites(tile, block: reduction.factor), work)
      let cfa = bounds.cfa
      for channel in 0..<3 {
        mark(tile, of: rect, channel, block: reduction.factor, into: buffer) { x, y in
          let own = cfa.channel(at: x, y)
          let isOwn = cfa.channelCount == 1 || own == channel || (own == 3 && channel == 1)
          guard isOwn else { return (0, 0) }
          return plane.row(y)[x - plane.rect.x] >= bounds.clip[own] ? (1, 1) : (0, 1)
        }
      }
    }
  }

  /// The photosites of all blocks that the pixels of `tile` are made of.
  private func photosites(_ tile: PixelRect, block: Int) -> PixelRect {
    let sites = PixelRect(
      x: tile.x * step, y: tile.y * step, width: tile.width * step, height: tile.height * step)
    let blocks = sites.reduced(by: block)
    return PixelRect(
      x: blocks.x * block, y: blocks.y * block, width: blocks.width * block,
      height: blocks.height * block
    ).intersection(PixelRect(fullSize))
  }

  /// `site` returns the number of saturated and of all photosites of the channel at a position: 0
  /// or 1.
  private func mark(
    _ tile: PixelRect, of rect: PixelRect, _ channel: Int, block: Int, into buffer: PlanarBuffer,
    _ site: (_ x: Int, _ y: Int) -> (saturated: Int, all: Int)
  ) {
    let side = max(block, step)
    for y in tile.y..<tile.endY {
      let out = buffer.row(channel, y - rect.y)
      let top = y * step / side * side
      var known = -1
      var fraction: Float = 0
      for x in tile.x..<tile.endX {
        let left = x * step / side * side
        if left != known {
          var (saturated, all) = (0, 0)
          for j in top..<min(top + side, fullSize.height) {
            for i in left..<min(left + side, fullSize.width) {
              let found = site(i, j)
              saturated &+= found.saturated
              all &+= found.all
            }
          }
          known = left
          fraction = all > 0 ? Float(saturated) / Float(all) : 0
        }
        out[x - rect.x] = fraction
      }
    }
  }
}

extension SensorPipeline {
  /// Which channels of this picture are saturated at the sensor, 0…1 (``SaturatedPixels``).
  package var saturatedPixels: any PixelSource<CameraRGB> {
    SaturatedPixels(pixels, bounds, fullSize: fullSize, size: size, step: reduction)
  }
}

extension SensorPipeline {
  /// Rectangles of photosites outside of which the picture is the same under any white in use
  /// (``SensorSettings/white``): bounding boxes of saturated photosites and of the surroundings
  /// that they change.
  package var areasOfWhite: [PixelRect] {
    let (width, height) = (BlockExtrema.blockWidth, BlockExtrema.blockHeight)
    let count = bounds.extrema.count
    return (0..<count.area).compactMap { index -> PixelRect? in
      let (y, x) = index.quotientAndRemainder(dividingBy: count.width)
      let high = bounds.extrema.block(x: x, y: y).high
      guard (0..<4).contains(where: { high[$0] >= bounds.clip[$0] }) else { return nil }
      let block = PixelRect(x: x * width, y: y * height, width: width, height: height)
      let marked = measurements.mosaicScan.map { $0.mask.box(of: block) } ?? block
      return marked.isEmpty ? nil : marked.expanded(by: Self.reachOfSaturation)
    }
  }

  /// Photosites around a saturated one that clipping to neutral and the blocks of reduced pictures
  /// change, at most.
  private static let reachOfSaturation = 16
}

extension LensStage {
  /// The same with only the opcodes that move pixels: for pictures that mark positions.
  package var displacing: LensStage {
    LensStage(
      actions: actions.filter {
        switch $0 {
        case .warp, .trim: true
        default: false
        }
      }, frame: frame, balance: balance, isGray: isGray)
  }
}
