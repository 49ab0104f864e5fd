public import HDRRender

/// The formats that a display in Reference Mode shows exactly as coded, found by their tags.
///
/// Source: Apple's list of formats (BT.709, BT.601 of SMPTE-C and EBU, sRGB, BT.2100 PQ and HLG);
/// code points of ITU-T H.273 as primaries-transfer-matrix. Apple's session gives only 9-16-9; the
/// others come from NCLC tables, and ``isConfirmed`` is false for them. A matrix of 0 (RGB), 2
/// (unspecified) or, as in sRGB stills, 5 or 6 is accepted instead of the format's own. Any other
/// combination is color-managed like any other picture, by its headroom.
public enum ReferenceFormat: String, Sendable, Hashable, CaseIterable {
  /// BT.709 video.
  case bt709
  /// BT.601 video, SMPTE-C.
  case bt601SMPTEC = "bt601-smpte-c"
  /// BT.601 video, EBU.
  case bt601EBU = "bt601-ebu"
  /// sRGB graphics and stills.
  case sRGB = "srgb"
  /// BT.2100 PQ, including HDR10, whose metadata is ignored.
  case bt2100PQ = "bt2100-pq"
  /// BT.2100 hybrid log-gamma.
  case bt2100HLG = "bt2100-hlg"

  /// The viewing environment that a format is graded for.
  public enum ViewingEnvironment: String, Sendable, Hashable {
    /// Dim, as for video.
    case dim
    /// A bright interior, as for graphics.
    case bright
  }

  /// Primaries, transfer and matrix of H.273.
  public var codePoints: [UInt16] {
    switch self {
    case .bt709: [1, 1, 1]
    case .bt601SMPTEC: [6, 1, 6]
    case .bt601EBU: [5, 1, 6]
    case .sRGB: [1, 13, 1]
    case .bt2100PQ: [9, 16, 9]
    case .bt2100HLG: [9, 18, 9]
    }
  }

  /// Whether Apple publishes these code points.
  public var isConfirmed: Bool { self == .bt2100PQ }

  /// The viewing environment that it is graded for.
  public var viewingEnvironment: ViewingEnvironment { self == .sRGB ? .bright : .dim }

  /// Whether it holds values above reference white.
  public var isHighDynamicRange: Bool { self == .bt2100PQ || self == .bt2100HLG }

  /// The format with these code points; nil for other combinations. Transfer functions 6, 14 and 15
  /// equal BT.709.
  public init?(codePoints: [UInt16]) {
    guard codePoints.count == 3 else { return nil }
    let (primaries, matrix) = (codePoints[0], codePoints[2])
    let transfer = [6, 14, 15].contains(codePoints[1]) ? 1 : codePoints[1]
    let found = Self.allCases.first { format in
      let points = format.codePoints
      guard points[0] == primaries, points[1] == transfer else { return false }
      let others: [UInt16] = format.isHighDynamicRange ? [0, 2] : [0, 2, 5, 6]
      return matrix == points[2] || others.contains(matrix)
    }
    guard let found else { return nil }
    self = found
  }
}

extension DisplayRendering {
  /// How `display` renders a picture with these code points: exactly as coded in Reference Mode if
  /// the format is listed, else tone-mapped to its headroom. Each picture is treated independently,
  /// so several formats may be displayed side by side.
  public static func managed(codePoints: [UInt16]?, on display: DisplayInfo) -> DisplayRendering {
    let format = codePoints.flatMap(ReferenceFormat.init)
    let isReference = display.isReferenceModeEnabled && format != nil
    return DisplayRendering(isReference ? .reference : .high, on: display)
  }
}
