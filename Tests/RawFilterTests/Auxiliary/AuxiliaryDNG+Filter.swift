import Foundation
import RawFilter
import RawTestSupport

extension AuxiliaryDNG {
  func filter() throws -> RAWFilter {
    try RAWFilter(data: Data(bytes()))
  }
}
