/// What rules and names ask of a picture. What a file does not say is nil.
public struct PictureFacts: Sendable, Hashable {
  /// Maker of the camera.
  public var make: String?
  /// Model of the camera.
  public var model: String?
  /// Name of the lens.
  public var lens: String?
  /// ISO speed.
  public var iso: Double?
  /// Moment of exposure in local time, as Exif writes it: `YYYY:MM:DD HH:MM:SS`.
  public var captureDate: String?

  /// These facts.
  public init(
    make: String? = nil, model: String? = nil, lens: String? = nil, iso: Double? = nil,
    captureDate: String? = nil
  ) {
    self.make = make
    self.model = model
    self.lens = lens
    self.iso = iso
    self.captureDate = captureDate
  }

  /// Maker and model, the maker once: many models begin with its name.
  public var camera: String? {
    guard let model = Self.trimmed(model) else { return Self.trimmed(make) }
    guard let make = Self.trimmed(make), let word = make.split(separator: " ").first,
      !model.lowercased().hasPrefix(word.lowercased())
    else { return model }
    return "\(make) \(model)"
  }

  /// The names that a camera goes by.
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
