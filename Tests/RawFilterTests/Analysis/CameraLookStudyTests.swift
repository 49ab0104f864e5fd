import ImageCore
import TestSupport
import Testing

@testable import RawFilter

@Suite struct CameraLookStudyTests {
  /// A look of one camera does on pictures that it was not made of nearly what it does on its own.
  @Test func heldOutPicturesAreNear() throws {
    let samples = try ["0104", "0105", "0113", "0118"].map { number in
      try RAWFilter(url: SharedFiles.url("more/raws/canon_CRW_\(number).CRW")).cameraLookSample()
    }
    #expect(samples.allSatisfy { $0.refusal == nil && $0.cells.count > 1000 })
    let study = try #require(CameraLookStudy(samples))
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let numbers = (mean(study.standard), mean(study.fitted), mean(study.heldOut))
    #expect(numbers.1 < 0.8 * numbers.0 && numbers.2 < 2, "\(numbers)")
    #expect(numbers.1 < numbers.2)
  }

  @Test func onePictureHoldsNoneOut() throws {
    let comparison = PreviewComparison(
      own: ComparedScene.picture(), preview: ComparedScene.picture(change: ComparedScene.style))
    let sample = CameraLookSample(cells: comparison.cells, refusal: nil)
    let study = try #require(CameraLookStudy([sample]))
    #expect(study.heldOut.isEmpty && study.fitted[0] < 0.5 * study.standard[0])
    let two = try #require(CameraLookStudy([sample, sample]))
    #expect(two.heldOut.count == 2 && abs(two.heldOut[0] - two.fitted[0]) < 0.3)
    #expect(CameraLookStudy([]) == nil)
  }
}
