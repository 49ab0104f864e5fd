import Containers

/// What a person thinks of a picture: its stars, and whether it is a pick or a reject.
///
/// A sidecar keeps both at the top level of the document. XMP has one number for both, in which a
/// reject has no stars, and a pick looks like any other picture.
public struct PictureMarks: Sendable, Hashable, Codable {
  /// A choice among pictures.
  public enum Pick: String, Sendable, Codable, CaseIterable {
    /// One of the best.
    case picked
    /// To be left out.
    case rejected
  }

  /// Stars, 0…5; nil where nothing says.
  public var rating: Int?
  /// The choice; nil for none.
  public var pick: Pick?

  /// The keys of a document.
  package static let (ratingKey, pickKey) = ("rating", "pick")
  /// xmp:Rating of a reject.
  private static let rejectedRating = -1

  /// Marks; without arguments none.
  public init(rating: Int? = nil, pick: Pick? = nil) { (self.rating, self.pick) = (rating, pick) }

  /// The marks that an XMP rating or Exif's gives; none for a number outside −1…5.
  public init(xmp rating: Double?) {
    let stars = rating.flatMap { Int(exactly: $0.rounded()) }
    guard let stars, (Self.rejectedRating...5).contains(stars) else { return }
    if stars == Self.rejectedRating { pick = .rejected } else { self.rating = stars }
  }

  /// The marks in an XMP packet; nil where it has no rating.
  public init?(packet: [UInt8]) {
    guard let rating = XMPPacket(lenient: packet)[.rating]?.number else { return nil }
    self.init(xmp: rating)
  }

  /// The number that XMP has for them: −1 for a reject, 0 without stars.
  public var xmpRating: Int { pick == .rejected ? Self.rejectedRating : rating ?? 0 }
}

extension RecipeDocument {
  /// The marks of the picture where the document is its sidecar and its XMP gives `weaker`. `null`
  /// takes back what the XMP gives; an invalid value counts as absent.
  public func marks(over weaker: PictureMarks) -> PictureMarks {
    var marks = weaker
    switch values[PictureMarks.ratingKey] {
    case .null?: marks.rating = nil
    case .number(let number)?:
      let stars = Int(exactly: number)
      if let stars, (0...5).contains(stars) { marks.rating = stars }
    default: break
    }
    switch values[PictureMarks.pickKey] {
    case .null?: marks.pick = nil
    case .text(let text)?: marks.pick = PictureMarks.Pick(rawValue: text) ?? marks.pick
    default: break
    }
    return marks
  }

  /// The XMP packet `description` of a sidecar with the rating that this document gives; unchanged
  /// where it gives none.
  func described(over description: [UInt8]?) -> [UInt8]? {
    guard [PictureMarks.ratingKey, PictureMarks.pickKey].contains(where: { values[$0] != nil })
    else { return description }
    let marks = marks(over: description.flatMap { PictureMarks(packet: $0) } ?? PictureMarks())
    let packet = description ?? XMPWriter.packet(descriptions: [])
    return (try? XMPRating.set(marks.xmpRating, in: packet)) ?? description
  }
}
