import ImageCore

/// Whose color matrix a camera raw is developed with. The table's, so that colors are the same with
/// every release of LibRaw; else LibRaw's, where its list names the camera; else what LibRaw took
/// from a relative, which is told; else none, which is told, too.
struct CameraColors {
  /// XYZ under D65 to camera values, one row of three for each channel; zeros for none.
  let matrix: [Double]
  /// The same under illuminant A; empty where it is not known.
  let tungsten: [Double]
  let origin: FactOrigin
  /// What a caller should know, unless it brings colors of its own; nil where colors are known.
  let warning: String?
  /// What the warning advises.
  static let remedies = WayOut.remedies(ways)
  private static let ways: [WayOut] = [.newerLibRaw, .profile, .conversion]

  init(_ facts: LibRawFacts) {
    let hasMatrix = facts.matrix.prefix(9).contains { $0 != 0 }
    let keys = facts.cameraKeys
    if facts.colors == 3, let camera = CameraTable.camera(keys), let known = camera.daylight {
      self.init(
        known.value, FactOrigin(.table, known.origin), tungsten: camera.tungsten?.value ?? [])
      return
    }
    if hasMatrix, ListedCameras.entry(keys) != nil {
      self.init(facts.matrix, .libRaw)
      return
    }
    let ways = "; " + WayOut.sentence(Self.ways)
    let unknown =
      "neither \(FactOrigin.libRaw) nor the table of cameras lists the \(facts.cameraName)"
    guard hasMatrix else {
      self.init(
        facts.matrix, .none,
        warning: unknown + ": its colors are unknown and are shown unconverted" + ways)
      return
    }
    let relative = Self.relative(of: keys[0], with: facts.matrix)
    self.init(
      facts.matrix, FactOrigin(.relative, relative ?? ""),
      warning: unknown + ": it is developed with the color matrix of "
        + (relative.map { "the \($0)" } ?? "another camera of its maker") + ways)
  }

  private init(
    _ matrix: [Double], _ origin: FactOrigin, tungsten: [Double] = [], warning: String? = nil
  ) {
    (self.matrix, self.origin, self.tungsten, self.warning) = (matrix, origin, tungsten, warning)
  }

  /// The camera whose matrix this is: the listed one that LibRaw finds by the beginning of the
  /// name, else one of the table with the same numbers.
  private static func relative(of key: CameraKey, with matrix: [Double]) -> String? {
    if let listed = ListedCameras.relative(key) { return listed }
    return CameraTable.cameras.first { camera in
      guard camera.keys[0].maker == key.maker, let known = camera.daylight?.value else {
        return false
      }
      return zip(known, matrix).allSatisfy { abs($0 - $1) < 0.00005 }
    }?.name
  }
}

extension LibRawFacts {
  /// The table's entry of a camera that LibRaw does not list; what LibRaw says of others stands.
  var tableCamera: CameraTable.Camera? {
    let keys = cameraKeys
    return ListedCameras.entry(keys) == nil ? CameraTable.camera(keys) : nil
  }

  /// The part of the area that is exposed to light which the camera delivers; nil where the file
  /// does not say, or what cannot be: one that leaves that area or is less than half of it in width
  /// or height.
  var frameInside: PixelRect? {
    guard cameraFrame.count == 4, !isDiagonal else { return nil }
    let frame = PixelRect(
      x: cameraFrame[0] - left, y: cameraFrame[1] - top, width: cameraFrame[2],
      height: cameraFrame[3])
    let whole = PixelRect(x: 0, y: 0, width: width, height: height)
    guard !frame.isEmpty, whole.contains(frame), 2 * frame.width >= width,
      2 * frame.height >= height
    else { return nil }
    return frame
  }

  /// The picture proper of a camera that only the table knows, where LibRaw took the stored picture
  /// whole; nil for all others.
  var tableCrop: (area: PixelRect, origin: FactOrigin)? {
    guard left == 0, top == 0, width == rawWidth, height == rawHeight,
      let crops = tableCamera?.crops
    else { return nil }
    let stored = PixelSize(width: rawWidth, height: rawHeight)
    let framed = crops.value.first { $0.frame == [rawWidth, rawHeight] }
    guard let crop = framed ?? crops.value.first(where: { $0.frame.isEmpty }),
      crop.numbers.count == 4
    else { return nil }
    func length(_ given: Int, _ from: Int, _ all: Int) -> Int {
      given > 0 ? given : all - from + given
    }
    let area = PixelRect(
      x: crop.numbers[0], y: crop.numbers[1],
      width: length(crop.numbers[2], crop.numbers[0], rawWidth),
      height: length(crop.numbers[3], crop.numbers[1], rawHeight))
    guard !area.isEmpty, PixelRect(stored).contains(area), area.size.area * 2 > stored.area else {
      return nil
    }
    return (area, FactOrigin(.table, crops.origin))
  }
}
