package import Foundation
package import HDRRender
package import ImageCore
package import RawFilter
package import Readers

/// A picture file as it is opened: a finished picture, or else a raw.
package enum PictureFile {
  /// A finished picture, decoded by ``StillImage/picture()``.
  case still(StillImage, DisplayPicture)
  /// A raw with default settings, not yet developed.
  case raw(RAWFilter)

  /// Opens the file at `url`.
  package init(
    _ url: URL, limits: DecodeLimits = DecodeLimits(), policy: ReadPolicy
  ) throws(ReadError) {
    do throws(ReadError) {
      let still = try StillImage(contentsOf: url, limits: limits, policy: policy)
      self = .still(still, try still.picture())
    } catch {
      // Camera raws are TIFFs, or of an unknown kind to the readers of finished pictures.
      guard error.code == .unknownKind || error.code == .unsupported else { throw error }
      do { self = .raw(try RAWFilter(url: url, limits: limits)) } catch let refusal {
        throw refusal.code == .notARaw ? error : ReadError(refusal)
      }
    }
  }
}
