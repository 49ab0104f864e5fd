import EXRCodec

/// The color channels of an OpenEXR picture: R, G and B, or Y with or without RY and BY. They come
/// from the unnamed layer, else a layer that renderers use for the complete picture, else the first
/// layer that has them. Without any, the first channel is read as gray.
struct EXRLayer: Sendable {
  /// Indices of the channels of R, G and B, or of Y.
  private let colors: [Int]
  /// Indices of RY and BY.
  let chroma: (red: Int, blue: Int)?
  /// Index of alpha.
  let alpha: Int?
  private(set) var notes: [String] = []

  var isGray: Bool { colors.count == 1 && chroma == nil }

  /// All channels that are decoded, in ascending order.
  var wanted: [Int] {
    (colors + (chroma.map { [$0.red, $0.blue] } ?? []) + (alpha.map { [$0] } ?? [])).sorted()
  }

  init?(_ channels: [EXRDecoder.Channel]) {
    // The decoder selects channels by the bits of a word.
    let named = Array(channels.prefix(64))
    func index(_ layer: String, _ name: String, isFull: Bool = true) -> Int? {
      named.firstIndex {
        $0.name == layer + name && (!isFull || $0.stepX == 1 && $0.stepY == 1)
      }
    }
    var layers = [""]
    for name in named.map(\.name) {
      guard let end = name.lastIndex(of: ".") else { continue }
      let layer = String(name[...end])
      if !layers.contains(layer) { layers.append(layer) }
    }
    // Channels are sorted by name, so a renderer's passes may come first.
    let full = layers.filter { Self.fullLayers.contains(Self.lastName($0)) }
    for layer in layers.prefix(1) + full + layers.dropFirst() {
      let rgb = ["R", "G", "B"].compactMap { index(layer, $0) }
      let luminance = index(layer, "Y")
      guard rgb.count == 3 || luminance != nil else { continue }
      alpha = index(layer, "A")
      let (ry, by) = (index(layer, "RY", isFull: false), index(layer, "BY", isFull: false))
      if rgb.count == 3 {
        (colors, chroma) = (rgb, nil)
      } else {
        colors = luminance.map { [$0] } ?? []
        if let ry, let by, named[ry].stepX == named[by].stepX, named[ry].stepY == named[by].stepY {
          chroma = (ry, by)
        } else {
          chroma = nil
        }
      }
      if !layer.isEmpty { notes.append("the layer \(Self.shown(layer.dropLast())) is read") }
      let rest = channels.count - wanted.count
      if rest > 0 { notes.append("extra channels were left out: \(rest)") }
      return
    }
    guard let first = named.firstIndex(where: { $0.stepX == 1 && $0.stepY == 1 }) else {
      return nil
    }
    (colors, chroma, alpha) = ([first], nil, nil)
    let name = Self.shown(named[first].name)
    notes.append("it has no R, G and B; its channel \(name) is read as gray")
  }

  /// Names that Blender and others give to the layer of the complete picture.
  private static let fullLayers: Set = ["combined", "beauty", "rgba", "rgb"]

  /// The last part of the name of a layer, which ends with a point.
  private static func lastName(_ layer: String) -> String {
    layer.dropLast().split(separator: ".").last.map { $0.lowercased() } ?? ""
  }

  /// A name of a file as text of one line.
  private static func shown(_ name: some StringProtocol) -> String {
    String(name.unicodeScalars.map { (32..<127).contains($0.value) ? Character($0) : "?" })
  }

  /// Index of channel `number` among the samples of a pixel; for luminance with chroma, the index
  /// of green.
  func slot(_ number: Int) -> Int {
    colors.count == 1 ? chroma == nil ? 0 : 1 : colors.firstIndex(of: number) ?? 0
  }

  /// Whether its color channels have 16 bits.
  func isHalf(_ channels: [EXRDecoder.Channel]) -> Bool {
    colors.allSatisfy { channels[$0].sample == .half }
  }
}
