import Develop
import RawFilter
package import Recipes

/// What a list of pictures shows of rawdev's own sidecar.
struct SidecarSummary: Sendable, Hashable {
  /// The document with its marks alone.
  private let marking: RecipeDocument
  /// The values of properties that it gives itself.
  let own: [String: RecipeValue]
  /// Identifies all else that bears on the picture; nil where there is nothing else.
  let rest: Int?

  /// Keys that change no pixel.
  private static let silent = ["schema", "name", "description"]
  private static let marks = [PictureMarks.ratingKey, PictureMarks.pickKey]

  /// Of a sidecar; of one that cannot be read, that there is one.
  init(_ sidecar: OwnSidecar) {
    var values = sidecar.document?.values ?? .map([:])
    var marking = RecipeValue.map([:])
    for key in Self.marks { marking[key] = values[key] }
    self.marking = RecipeDocument(values: marking, for: sidecar.path)
    own = sidecar.own
    for key in Self.silent + Self.marks { values[key] = nil }
    for name in own.keys { values["raw"]?[name] = nil }
    if values["raw"] == .map([:]) { values["raw"] = nil }
    let isUnreadable = sidecar.document == nil && sidecar.problem != nil
    rest =
      isUnreadable ? sidecar.revision.hashValue : values == .map([:]) ? nil : values.hashValue
  }

  /// The marks, where the XMP gives `weaker`.
  func marks(over weaker: PictureMarks) -> PictureMarks { marking.marks(over: weaker) }

  /// The change of the sidecar by which the picture gets `marks` where the XMP gives `weaker`; nil
  /// for a mark that is not to change. What the XMP gives is taken back by an explicit null.
  static func settings(
    _ change: MarkChange, over weaker: PictureMarks
  ) -> [RecipeDocument.Setting] {
    switch change {
    case .rating(let stars):
      let value = stars.map { RecipeValue.number(Double($0)) }
      return [
        .init(
          RecipePath(keys: PictureMarks.ratingKey), value ?? (weaker.rating == nil ? nil : .null))
      ]
    case .pick(let pick):
      let value = pick.map { RecipeValue.text($0.rawValue) }
      return [
        .init(RecipePath(keys: PictureMarks.pickKey), value ?? (weaker.pick == nil ? nil : .null))
      ]
    }
  }
}

/// A mark that pictures get.
package enum MarkChange: Sendable, Hashable {
  /// Stars, 0…5; nil for none.
  case rating(Int?)
  /// Nil for neither.
  case pick(PictureMarks.Pick?)
}
