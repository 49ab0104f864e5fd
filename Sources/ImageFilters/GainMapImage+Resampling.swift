import HDRRender
import ImageCore

extension GainMapImage {
  /// The same kind of map with other samples.
  func replacing(size: PixelSize, codes: [UInt16]) throws(OperatorError) -> GainMapImage {
    do {
      return try GainMapImage(
        size: size, channels: channels, codes: codes, maximumCode: maximumCode)
    } catch {
      throw OperatorError("gain map", error.message)
    }
  }

  /// The map filtered as code values, without linearization, and rounded.
  func resampled(columns: AxisTaps, rows: AxisTaps) throws(OperatorError) -> GainMapImage {
    let filter = SeparableFilter(columns: columns, rows: rows, planes: channels)
    return try replacing(by: SeparableStage(source: asPicture(), filter: filter))
  }

  /// The code values as a picture, one plane a channel; unused planes are 0.
  func asPicture() throws(OperatorError) -> Image<DisplayReferred> {
    try OperatorError.translating("gain map") { () throws(PixelError) in
      try Image(size: size, info: .init(primaries: .srgb, headroom: Float(maximumCode)), fill: fill)
    }
  }

  private func fill(_ planes: PlanarBuffer) {
    for plane in 0..<3 {
      for y in 0..<size.height {
        let row = planes.row(plane, y)
        for x in 0..<size.width {
          row[x] =
            plane < channels ? Float(codes[(y * size.width + x) * channels + plane]) : 0
        }
      }
    }
  }

  /// The map whose samples are the planes of `picture`.
  func replacing(by picture: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> GainMapImage
  {
    let image = try OperatorError.translating("gain map") { () throws(PixelError) in
      try Image(rendering: picture)
    }
    var codes: [UInt16] = []
    codes.reserveCapacity(image.size.area * channels)
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        for channel in 0..<channels {
          let value = image.row(channel, y)[x].rounded()
          codes.append(UInt16(min(max(value.isNaN ? 0 : value, 0), Float(maximumCode))))
        }
      }
    }
    return try replacing(size: image.size, codes: codes)
  }
}
