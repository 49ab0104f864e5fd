import Containers
import ImageCore
package import RawDecode
import RawSensor

/// Camera RGB between demosaic and color conversion, for linear DNGs.
package extension RAWFilter {
  /// Sample format of such a picture.
  enum LinearSamples: Sendable, Hashable {
    /// 16 bits, clipped at white, 65535: saturated channels stay as recorded. Clipped at black, 0:
    /// darktable 4.2 and RawTherapee 5.9 do not subtract black from demosaiced pictures, and would
    /// show an offset as a cast.
    case integers
    /// Half precision; reconstructed highlights are above 1.
    case halves
    /// Single precision.
    case floats
  }

  /// Camera values without white balance, 1.0 = white, after the demosaic, with `isCorrected` also
  /// after noise reduction and lens correction; neither cropped nor rotated. `info` is the file's,
  /// with the size of these samples.
  func linearCamera(
    _ kind: LinearSamples, isCorrected: Bool
  ) throws(RAWError) -> (info: RawInfo, data: SensorData) {
    try requireThreeColors()
    var filter = self
    filter.settings.scaleFactor = 1
    if kind == .integers {
      filter.settings.isHighlightRecoveryEnabled = false
      filter.settings.boostAmount = 0
    }
    let plan = try filter.plan()
    let stages = try plan.stages()
    let source: any PixelSource<CameraRGB> = isCorrected ? stages.camera : stages.demosaiced
    let gains = plan.sensor.balance
    let size = source.size
    var info = picture.file.info
    (info.storedSize, info.size, info.activeArea) = (size, size, PixelRect(size))
    info.layout = .linear
    let white: Float = kind == .integers ? 65535 : 1
    let samples: RawSamples
    do {
      switch kind {
      case .integers:
        samples = try Self.samples(of: source, workers: workers) { value, channel in
          UInt16(min(max((value / gains[channel] * white).rounded(), 0), white))
        }
      case .halves:
        samples = try Self.samples(of: source, workers: workers) { value, channel in
          let largest = Float(Float16.greatestFiniteMagnitude)
          return Float(Float16(min(max(value / gains[channel], -largest), largest)))
        }
      case .floats:
        samples = try Self.samples(of: source, workers: workers) { value, channel in
          value / gains[channel]
        }
      }
    } catch {
      throw error as? RAWError
        ?? RAWError(.unsupported, .sensor, "\(error)", path: picture.file.bytes.path)
    }
    return (
      info,
      SensorData(
        size: size, layout: .linear, samples: samples,
        levels: SensorLevels(
          patternWidth: 1, patternHeight: 1, black: [0, 0, 0], scale: SIMD4(repeating: 1 / white)))
    )
  }

  /// Throws unless the picture has three colors.
  private func requireThreeColors() throws(RAWError) {
    var count = 3
    switch picture.file.info.layout {
    case .mosaic(let cfa): count = cfa.channelCount
    case .monochrome: count = 1
    case .linear: break
    }
    guard count == 3, picture.file.info.profile?.fourColorReduction.isEmpty != false else {
      throw RAWError(
        .unsupported, .sensor,
        "only pictures of three colors can be written as linear DNGs; write the samples as stored",
        path: picture.file.bytes.path)
    }
  }

  /// The samples of `source`, each converted by `sample` from its value and channel.
  private static func samples<Sample: RawSample>(
    of source: some PixelSource<CameraRGB>, workers: Int,
    _ sample: @Sendable (Float, Int) -> Sample
  ) throws -> RawSamples {
    let size = source.size
    return try RawSamples(of: Sample.self, stride: 3 * size.width, rows: size.height) {
      memory throws(PixelError) in
      nonisolated(unsafe) let target = memory
      try PictureBands(source, workers: workers).forEach { band, _ throws(PixelError) in
        for piece in band.pieces {
          for y in 0..<band.rect.height {
            let rows = piece.rows(y)
            let out = target.from((band.rect.y + y) * 3 * size.width)
              .from(3 * piece.columns.lowerBound)
            for x in 0..<piece.columns.count {
              out[3 * x] = sample(rows.red[x], 0)
              out[3 * x + 1] = sample(rows.green[x], 1)
              out[3 * x + 2] = sample(rows.blue[x], 2)
            }
          }
        }
      } consume: { _, _ throws(PixelError) in
      }
    }
  }
}

package extension RAWFilter {
  /// The noise of linear values 0…1 in the form of a DNG's NoiseProfile, with one pair for all
  /// channels. Declared by the file, else measured; empty for none.
  func measuredNoiseProfile() throws(RAWError) -> [(scale: Double, offset: Double)] {
    let noise = try picture.noise(opcodes: opcodes, profile: profile, workers: workers)
    let gain = Double(picture.balance(profile).y)
    let scale = Double(noise.shot.y) / gain
    return scale > 0 ? [(scale, Double(noise.read.y) / gain / gain)] : []
  }
}
