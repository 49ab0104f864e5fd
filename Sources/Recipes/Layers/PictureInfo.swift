/// The metadata of a picture that rules and name templates depend on; nil where the file lacks
/// them.
public struct PictureInfo: Sendable, Hashable {
  /// Make of the camera.
  public var make: String?
  /// Model of the camera.
  public var model: String?
  /// Name of the lens.
  public var lens: String?
  /// ISO speed.
  public var iso: Double?
  /// Time of exposure, local time in the form of Exif: `YYYY:MM:DD HH:MM:SS`.
  public var captureDate: String?

  /// A picture; all values are nil by default.
  public init(
    make: String? = nil, model: String? = nil, lens: String? = nil, iso: Double? = nil,
    captureDate: String? = nil
  ) {
    (self.make, self.model, self.lens) = (make, model, lens)
    (self.iso, self.captureDate) = (iso, captureDate)
  }

  /// Make and model; only the model where it begins with the make, as many do.
  public var camera: String? {
    guard let model = Self.trimmed(model) else { return Self.trimmed(make) }
    guard let make = Self.trimmed(make), let word = make.split(separator: " ").first,
      !model.lowercased().hasPrefix(word.lowercased())
    else { return model }
    return "\(make) \(model)"
  }

  /// All names by which rules may match the camera.
  var cameraNames: [String] {
    let model = Self.trimmed(model)
    let both = [Self.trimmed(make), model].compactMap(\.self).joined(separator: " ")
    return [camera, model, both].compactMap(\.self).filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: String?) -> String? {
    let ends: Set<Character> = [" ", "\0", "\t", "\n"]
    guard let text else { return nil }
    let head = text.drop { ends.contains($0) }
    guard let last = head.lastIndex(where: { !ends.contains($0) }) else { return nil }
    return String(head[...last])
  }
}
