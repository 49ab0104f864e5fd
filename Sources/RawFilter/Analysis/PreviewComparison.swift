import Foundation
import HDRRender
import ImageCore

/// Compares a preview with our own rendering of the same raw: whether the preview can be trusted,
/// and the cells of both that can be compared.
///
/// The picture is divided into 60 × 40 cells, 60 along the longer side: squares in a preview of 3 :
/// 2. A cell counts if it is neither clipped nor black in the preview; its weight falls with the
/// variance within it. Local sharpening, smoothing and tone mapping differ from cell to cell; such
/// outliers get less weight in the fit (``CameraLookFit``).
struct PreviewComparison: Sendable, Hashable {
  /// Why a preview is trusted in part, or not at all.
  enum Doubt: String, Sendable, Hashable, Codable {
    /// It shows another picture.
    case otherPicture
    /// Nearly all of it is black or clipped.
    case withoutTones
    /// Its lightness does not correlate with the raw's.
    case otherTones
    /// It is gray, or its colors do not correlate with the raw's: only its lightness is used.
    case otherColors

    /// Whether it is not used at all.
    var isRefusal: Bool { self != .otherColors }

    /// The doubt as a predicate of "the preview".
    var reason: String {
      switch self {
      case .otherPicture: "shows another picture than the raw"
      case .withoutTones: "is almost entirely black or white"
      case .otherTones: "has tones that do not match the raw"
      case .otherColors: "is black and white, or its colors do not match the raw"
      }
    }
  }

  var cells: [CameraLookFit.Cell] = []
  var alignment: PreviewAlignment
  var doubt: Doubt?

  /// Code value from which a preview's pixel is clipped.
  static let white: UInt8 = 250
  private static let columns = 60
  private static let rows = 40

  /// `own`, our rendering, beside `preview`: both linear sRGB, of the same part of the scene except
  /// for the camera's crop. `counts`: whether a cell may count, by column and row.
  init(
    own: SummedAreaTable, preview: SummedAreaTable,
    counts: (_ column: Int, _ row: Int) -> Bool = { _, _ in true }
  ) {
    alignment = PreviewAlignment(own, preview)
    guard alignment.correlation >= PreviewAlignment.minCorrelation else {
      doubt = .otherPicture
      return
    }
    let isWide = preview.size.width >= preview.size.height
    let (columns, rows) = isWide ? (Self.columns, Self.rows) : (Self.rows, Self.columns)
    let toBT2020 = Primaries.srgb.conversion(to: .bt2020)
    let (ownSize, size) = (SIMD2(own.size), SIMD2(preview.size))
    for row in 0..<rows {
      for column in 0..<columns where counts(column, row) {
        let low = SIMD2(Double(column) / Double(columns), Double(row) / Double(rows))
        let high = SIMD2(Double(column + 1) / Double(columns), Double(row + 1) / Double(rows))
        let (ownLow, ownHigh) = (alignment.own(low), alignment.own(high))
        guard ownLow.min() >= 0, ownHigh.max() <= 1 else { continue }
        let theirs = preview.mean(low * size, high * size)
        let ours = own.mean(ownLow * ownSize, ownHigh * ownSize)
        let (a, b) = (Self.rgb(ours), Self.rgb(theirs))
        guard theirs[4] < 0.02, a.min() > 1e-4, b.max() > 2e-3 else { continue }
        let variation = max(ours[3] - pow(a.sum() / 3, 2), 0) / pow(a.sum() / 3 + 0.02, 2)
        cells.append(
          CameraLookFit.Cell(
            own: Oklab.lab(toBT2020 * a), preview: Oklab.lab(toBT2020 * b),
            weight: 1 / (1 + 6 * variation)))
      }
    }
    guard cells.count >= CameraLookFit.minCells else {
      doubt = .withoutTones
      return
    }
    doubt = Self.doubt(cells)
  }

  private static func rgb(_ values: SummedAreaTable.Values) -> SIMD3<Double> {
    SIMD3(values[0], values[1], values[2])
  }

  /// Why the preview in `cells` is not trusted.
  private static func doubt(_ cells: [CameraLookFit.Cell]) -> Doubt? {
    let lightness = Moments(cells.map { (SIMD2($0.own.x, 0), SIMD2($0.preview.x, 0), $0.weight) })
    // A flat scene has no tones to compare.
    if lightness.spread.own > 0.03, lightness.correlation < 0.7 { return .otherTones }
    let colors = Moments(
      cells.map {
        (SIMD2($0.own.y, $0.own.z), SIMD2($0.preview.y, $0.preview.z), $0.weight)
      })
    let mean = colors.mean.own - colors.mean.preview
    if (mean * mean).sum().squareRoot() > 0.12 { return .otherColors }
    guard colors.spread.own > 0.012 else {
      // A gray scene does not constrain colors, but contradicts a preview of many colors.
      return colors.spread.preview > 4 * max(colors.spread.own, 0.005) ? .otherColors : nil
    }
    let gain = colors.spread.preview / colors.spread.own
    return colors.correlation < 0.6 || !(0.3...3).contains(gain) ? .otherColors : nil
  }

  /// Means, spreads and correlation of pairs of vectors.
  fileprivate struct Moments {
    var mean: (own: SIMD2<Double>, preview: SIMD2<Double>)
    var spread: (own: Double, preview: Double)
    var correlation: Double

    init(_ pairs: [(own: SIMD2<Double>, preview: SIMD2<Double>, weight: Double)]) {
      let total = max(pairs.reduce(0) { $0 + $1.weight }, 1e-9)
      let own = pairs.reduce(SIMD2(0.0, 0.0)) { $0 + $1.own * $1.weight } / total
      let preview = pairs.reduce(SIMD2(0.0, 0.0)) { $0 + $1.preview * $1.weight } / total
      var (aa, bb, ab) = (0.0, 0.0, 0.0)
      for pair in pairs {
        let (a, b) = (pair.own - own, pair.preview - preview)
        aa += (a * a).sum() * pair.weight
        bb += (b * b).sum() * pair.weight
        ab += (a * b).sum() * pair.weight
      }
      mean = (own, preview)
      spread = ((aa / total).squareRoot(), (bb / total).squareRoot())
      correlation = ab / max((aa * bb).squareRoot(), 1e-12)
    }
  }
}

extension PreviewComparison {
  /// Difference of ln R/G and ln B/G in linear BT.2020, preview minus ours: the median over cells
  /// that are neither dark nor outside the gamut. Nil with too few cells, and if the preview has no
  /// colors or shows another picture.
  var cast: SIMD2<Double>? {
    guard doubt?.isRefusal != true else { return nil }
    // Weighted by lightness: bright cells depend most on the white.
    let rows = cells.compactMap { cell -> (SIMD2<Double>, Double)? in
      guard min(cell.own.x, cell.preview.x) > Self.darkest,
        let own = Self.ratios(cell.own), let theirs = Self.ratios(cell.preview)
      else { return nil }
      return (theirs - own, cell.weight * cell.preview.x * cell.preview.x)
    }
    let colors = Moments(
      cells.map { cell in
        let color = SIMD2(cell.preview.y, cell.preview.z)
        return (color, color, cell.weight)
      })
    guard rows.count >= CameraLookFit.minCells, colors.spread.preview > Self.gray else {
      return nil
    }
    let half = rows.reduce(0) { $0 + $1.1 } / 2
    func median(_ axis: Int) -> Double {
      var sum = 0.0
      return rows.sorted { $0.0[axis] < $1.0[axis] }.first {
        sum += $0.1
        return sum >= half
      }?.0[axis] ?? 0
    }
    return SIMD2(median(0), median(1))
  }

  /// Lightness below which a cell is not used.
  private static let darkest = 0.15
  /// Standard deviation of colors below which a preview is black and white.
  private static let gray = 0.004

  /// ln R/G and ln B/G in linear BT.2020.
  private static func ratios(_ lab: SIMD3<Double>) -> SIMD2<Double>? {
    let rgb = Oklab.rgb(lab)
    return rgb.min() > 1e-4 ? SIMD2(log(rgb.x / rgb.y), log(rgb.z / rgb.y)) : nil
  }
}

extension SIMD2<Double> {
  fileprivate init(_ size: PixelSize) { self.init(Double(size.width), Double(size.height)) }
}
