import ImageCore

/// The source of a camera raw's color matrix. Order: the camera table, so that colors do not depend
/// on the LibRaw version; LibRaw, if its list names the camera; LibRaw's matrix of a related
/// camera, with a warning; none, with a warning.
struct CameraColors {
  /// XYZ under D65 to camera values, one row of three for each channel; zeros for none.
  let matrix: [Double]
  /// The same under illuminant A; empty if unknown.
  let tungsten: [Double]
  let origin: FactOrigin
  /// A warning for the caller, unless it supplies colors; nil if colors are known.
  let warning: String?
  /// What the warning recommends.
  static let remedies = Workaround.remedies(workarounds)
  private static let workarounds: [Workaround] = [.newerLibRaw, .profile, .conversion]

  init(_ metadata: LibRawMetadata) {
    let hasMatrix = metadata.matrix.prefix(9).contains { $0 != 0 }
    let keys = metadata.cameraKeys
    if metadata.colors == 3, let camera = CameraTable.camera(keys), let known = camera.daylight {
      self.init(
        known.value, FactOrigin(.table, known.origin), tungsten: camera.tungsten?.value ?? [])
      return
    }
    if hasMatrix, ListedCameras.entry(keys) != nil {
      self.init(metadata.matrix, .libRaw)
      return
    }
    let workarounds = "; " + Workaround.sentence(Self.workarounds)
    let unknown =
      "neither \(FactOrigin.libRaw) nor the table of cameras lists the \(metadata.cameraName)"
    guard hasMatrix else {
      self.init(
        metadata.matrix, .none,
        warning: unknown + ": its colors are unknown and are shown unconverted" + workarounds)
      return
    }
    let relative = Self.relative(of: keys[0], with: metadata.matrix)
    self.init(
      metadata.matrix, FactOrigin(.relative, relative ?? ""),
      warning: unknown + ": it is developed with the color matrix of "
        + (relative.map { "the \($0)" } ?? "another camera of its maker") + workarounds)
  }

  private init(
    _ matrix: [Double], _ origin: FactOrigin, tungsten: [Double] = [], warning: String? = nil
  ) {
    (self.matrix, self.origin, self.tungsten, self.warning) = (matrix, origin, tungsten, warning)
  }

  /// The camera that the matrix belongs to: the listed one whose name LibRaw matched by prefix,
  /// else a table entry with the same numbers.
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

extension LibRawMetadata {
  /// The table entry of a camera that LibRaw does not list; nil for others.
  var tableCamera: CameraTable.Camera? {
    let keys = cameraKeys
    return ListedCameras.entry(keys) == nil ? CameraTable.camera(keys) : nil
  }

  /// The part of the active area that the camera delivers. Nil if not declared or implausible:
  /// outside the active area, or less than half of its width or height.
  var frameInside: PixelRect? {
    guard cameraFrame.count == 4, !isDiagonal else { return nil }
    let frame = PixelRect(
      x: cameraFrame[0] - left, y: cameraFrame[1] - top, width: cameraFrame[2],
      height: cameraFrame[3])
    let full = PixelRect(x: 0, y: 0, width: width, height: height)
    guard !frame.isEmpty, full.contains(frame), 2 * frame.width >= width,
      2 * frame.height >= height
    else { return nil }
    return frame
  }

  /// The visible picture of a camera known only to the table, if LibRaw took the complete stored
  /// picture; nil otherwise.
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
