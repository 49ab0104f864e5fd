import Formats

extension OutputFormat {
  /// Other names, by the name: `jpg`, `tif-float` and `heic-pq` for `jpeg-gainmap`, `tiff-float`
  /// and `heif-pq`. An extension of a container replaces the first word of its formats' names;
  /// alone it means the format without a second word, otherwise the usual one.
  public static let aliases: [String: OutputFormat] = {
    let names = Set(allCases.map(\.rawValue))
    var aliases: [String: OutputFormat] = [:]
    for format in allCases {
      let words = format.rawValue.split(separator: "-", maxSplits: 1)
      let rest = words.count > 1 ? "-\(words[1])" : ""
      let container = format.container
      let isAlone = allCases.allSatisfy { $0.container != container || $0.rawValue.contains("-") }
      for word in container.descriptor.extensions + [container.rawValue] {
        aliases[word + rest] = format
        if isAlone, format.descriptor.isUsual { aliases[word] = format }
      }
    }
    return aliases.filter { !names.contains($0.key) }
  }()

  /// The format of this name or alias, in any case; nil for an unknown one.
  public init?(name: String) {
    let name = name.lowercased()
    guard let format = OutputFormat(rawValue: name) ?? Self.aliases[name] else { return nil }
    self = format
  }
}
