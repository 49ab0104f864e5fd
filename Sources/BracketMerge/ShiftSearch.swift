import ImageCore

/// The shift in integer pixels at which two pictures of one scene match best.
///
/// Source: own. The correlation of the pixels valid in both, for every shift of up to `searched` of
/// the longer side of pictures whose longer side has at most ``coarsest`` pixels. Pictures of
/// narrow frames are longer: they are halved along that side until they are not, and each longer
/// one is searched around the result of the shorter one. So the work per pixel is bounded, whatever
/// the shape (``comparisons``), and other pictures are searched at once. Units: pixels of the
/// pictures.
struct ShiftSearch: Sendable {
  /// Pixels of the longer side of pictures that are searched at once.
  static let coarsest = 96
  /// The largest shift that is looked for, of the longer side.
  private static let searched = 0.125
  /// Pixels around the shift of the picture of half the length, along that side, where a pixel of
  /// it is two, and across.
  private static let around = (along: 2, across: 1)
  /// Required gain in correlation over (0, 0), per square of the shift, and its maximum: a smooth
  /// gradient across the picture matches at any shift.
  private static let gain = (each: 1e-6, limit: 1.5e-4)

  /// Pictures of one size, and the shifts that are tried.
  private struct Round: Sendable {
    let size: PixelSize
    /// How many times as wide and high as the one before; 1 × 1 of the first.
    var growth = PixelSize(width: 1, height: 1)
    /// Shifts on each side of the middle, which is the result of the previous round.
    let reach: PixelSize

    var shifts: Int { (2 * reach.width + 1) * (2 * reach.height + 1) }
  }

  /// The shortest pictures first.
  private let rounds: [Round]

  /// For pictures of `size`.
  init(_ size: PixelSize) {
    var (size, rounds): (PixelSize, [Round]) = (size, [])
    while max(size.width, size.height) > Self.coarsest {
      let isWide = size.width >= size.height
      let (along, across) = Self.around
      rounds.append(
        Round(
          size: size, growth: PixelSize(width: isWide ? 2 : 1, height: isWide ? 1 : 2),
          reach: PixelSize(width: isWide ? along : across, height: isWide ? across : along)))
      size = PixelSize(
        width: isWide ? size.width / 2 : size.width, height: isWide ? size.height : size.height / 2)
    }
    let reach = Int((Double(max(size.width, size.height)) * Self.searched).rounded(.up))
    // Farther ones have no pixel in common.
    rounds.append(
      Round(
        size: size,
        reach: PixelSize(
          width: max(min(reach, size.width - 1), 0), height: max(min(reach, size.height - 1), 0))))
    self.rounds = rounds.reversed()
  }

  /// Maximum of compared pairs of pixels, including (0, 0) in each round.
  var comparisons: Int { rounds.reduce(0) { $0 + ($1.shifts + 1) * $1.size.area } }

  /// Where in `frame` lies what is at (0, 0) of `reference`; both have the size that was given.
  func shift(
    of frame: LogLuminance, against reference: LogLuminance, workers: Int
  ) throws(PixelError) -> PixelPoint {
    var pairs = [(reference: Picture(reference), frame: Picture(frame))]
    for round in rounds.dropFirst().reversed() {
      let last = pairs[0]
      pairs.insert(
        (last.reference.reduced(by: round.growth), last.frame.reduced(by: round.growth)), at: 0)
    }
    var found = PixelPoint(x: 0, y: 0)
    for (round, pair) in zip(rounds, pairs) {
      found = try best(
        PixelPoint(x: found.x * round.growth.width, y: found.y * round.growth.height), round.reach,
        pair.reference, pair.frame, workers: workers)
    }
    return found
  }

  /// The best shift around `middle`, which it is itself where none can be judged, or (0, 0) where
  /// that is as good.
  private func best(
    _ middle: PixelPoint, _ reach: PixelSize, _ reference: Picture, _ frame: Picture, workers: Int
  ) throws(PixelError) -> PixelPoint {
    let (columns, lines) = (2 * reach.width + 1, 2 * reach.height + 1)
    let scores = try Parallel.map(count: columns * lines, workers: workers) { index -> Double in
      let (dx, dy) = (index % columns - reach.width, index / columns - reach.height)
      guard let correlation = reference.correlation(frame, middle.x + dx, middle.y + dy) else {
        return -1
      }
      // Of shifts that are as good, the one nearest to the middle.
      return correlation - Self.gain.each * Double(dx * dx + dy * dy)
    }
    var best = reach.height * columns + reach.width
    for (index, score) in scores.enumerated() where score > scores[best] { best = index }
    let (dx, dy) = (best % columns - reach.width, best / columns - reach.height)
    let found = PixelPoint(x: middle.x + dx, y: middle.y + dy)
    // It was among the shifts tried.
    guard middle.x != 0 || middle.y != 0 else { return found }
    let gained = scores[best] + Self.gain.each * Double(dx * dx + dy * dy)
    let needed = Self.gain.each * Double(found.x * found.x + found.y * found.y)
    guard let still = reference.correlation(frame, 0, 0),
      gained - min(needed, Self.gain.limit) <= still
    else { return found }
    return PixelPoint(x: 0, y: 0)
  }
}

extension ShiftSearch {
  /// Log luminance whose pixels need not be square.
  fileprivate struct Picture: Sendable {
    let size: PixelSize
    let values: [Float]
    let weights: [Float]

    init(_ luminance: LogLuminance) {
      (size, values, weights) = (luminance.size, luminance.values, luminance.weights)
    }

    private init(size: PixelSize, values: [Float], weights: [Float]) {
      (self.size, self.values, self.weights) = (size, values, weights)
    }

    /// Half the size along the side that `growth` doubles: means of two.
    func reduced(by growth: PixelSize) -> Picture {
      let half = PixelSize(
        width: size.width / growth.width, height: size.height / growth.height)
      let next = growth.width > 1 ? 1 : size.width
      var (values, weights): ([Float], [Float]) = ([], [])
      values.reserveCapacity(half.area)
      weights.reserveCapacity(half.area)
      for y in 0..<half.height {
        for x in 0..<half.width {
          let i = y * growth.height * size.width + x * growth.width
          values.append((self.values[i] + self.values[i + next]) / 2)
          // One that does not count spoils the mean.
          weights.append(self.weights[i] * self.weights[i + next])
        }
      }
      return Picture(size: half, values: values, weights: weights)
    }

    /// The correlation with `frame` moved by (`dx`, `dy`); nil where too little counts in both, or
    /// one is even there.
    func correlation(_ frame: Picture, _ dx: Int, _ dy: Int) -> Double? {
      var (n, sr, sf, srr, sff, srf) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      for y in max(0, -dy)..<max(max(0, -dy), min(size.height, size.height - dy)) {
        for x in max(0, -dx)..<max(max(0, -dx), min(size.width, size.width - dx)) {
          let (i, j) = (y * size.width + x, (y + dy) * size.width + x + dx)
          guard weights[i] > 0, frame.weights[j] > 0 else { continue }
          let (r, f) = (Double(values[i]), Double(frame.values[j]))
          n += 1
          sr += r
          sf += f
          srr += r * r
          sff += f * f
          srf += r * f
        }
      }
      guard n >= Double(size.area) * FrameAlignment.minFraction else { return nil }
      let (vr, vf) = (srr / n - sr * sr / n / n, sff / n - sf * sf / n / n)
      guard vr > 1e-9, vf > 1e-9 else { return nil }
      return (srf / n - sr * sf / n / n) / (vr * vf).squareRoot()
    }
  }
}
