import Containers
import Foundation
import HDRRender
import Testing

@testable import Recipes

struct AdobeSettingsTests {
  private func read(
    _ attributes: String, _ elements: String = "", traits: RawTraits = RawTraits()
  ) throws -> SidecarSettings {
    let text = SidecarFixtures.packet(attributes, elements)
    return SidecarSettings(try XMPPacket(Array(text.utf8)), traits: traits)
  }

  private func fields(_ ignored: [SidecarSettings.Ignored]) -> Set<String> {
    Set(ignored.map { String($0.field.dropFirst(4)) })
  }

  /// The recipe without tone, color and finish at their defaults.
  private func changes(_ settings: SidecarSettings) -> RecipeValue {
    var recipe = settings.recipe
    let look =
      AdobeLook.tone + AdobeLook.detail(isCurrent: true) + AdobeLook.color + AdobeLook.finish
      + AdobeLook.frame + AdobeLook.lens
    for name in look.map(\.name) {
      let key = RecipePath(keys: "raw", name)
      if recipe[key] == RecipeKey.at(key)?.standardValue { recipe[key] = nil }
    }
    return recipe
  }

  @Test func aSidecarOfLightroomClassic() throws {
    let packet = try XMPPacket(Array(SidecarFixtures.classic.utf8))
    let settings = AdobeSettings.read(packet, traits: RawTraits(profileNames: ["Camera Portrait"]))
    let recipe: RecipeValue = .map([
      "raw": .map([
        "neutralTemperature": .number(5350), "neutralTint": .number(7), "exposure": .number(0.65),
        "luminanceNoiseReductionAmount": .number(0.2), "isLensCorrectionEnabled": .bool(true),
        "isLateralColorCorrectionEnabled": .bool(true),
        "extendedDynamicRangeAmount": .number(1), "orientation": .number(8),
        "profileName": .text("Camera Portrait"), "contrast": .number(0.12),
        "highlights": .number(-0.48), "shadows": .number(0.31), "whites": .number(0.09),
        "blacks": .number(-0.14), "detailAmount": .number(0.1), "contrastAmount": .number(0.08),
        "vibrance": .number(0.15), "orangeSaturation": .number(-0.08),
        "shadowHue": .number(215), "highlightHue": .number(40), "vignetteAmount": .number(-0.11),
        "toneCurve": .list([0, 0, 0.25098, 0.227451, 1, 1].map(RecipeValue.number)),
        "crop": "10%,5%,70%,75%",
      ]),
      "render": .map(["headroomLimit": .number(4.924578)]),
    ])
    #expect(changes(settings) == recipe)
    #expect(settings.recipe["raw"]?["saturation"] == .number(0))
    #expect(
      fields(settings.ignored) == [
        "SDRBrightness", "LensProfileName", "LensProfileFilename", "Look",
        "MaskGroupBasedCorrections",
      ])
    #expect(settings.ignored.first { $0.field == "crs:Look" }?.value == "Adobe Portrait")
    #expect(
      settings.ignored.allSatisfy { !$0.reason.isEmpty && $0.reason != "unknown to this version" }
    )
    let approximate = settings.taken.filter(\.isApproximate).map(\.field)
    #expect(
      Set(approximate) == [
        "crs:LuminanceSmoothing", "crs:LensProfileEnable", "crs:AutoLateralCA", "crs:Contrast2012",
        "crs:Highlights2012", "crs:Shadows2012", "crs:Whites2012", "crs:Blacks2012", "crs:Vibrance",
        "crs:SaturationAdjustmentOrange", "crs:PostCropVignetteAmount", "crs:ToneCurvePV2012",
        "crs:Texture", "crs:Clarity2012",
      ])
  }

  @Test func detailClarityAndDehazeAreTaken() throws {
    let settings = try read(
      #"crs:ProcessVersion="11.0" crs:Texture="-30" crs:Clarity2012="+45" crs:Dehaze="-20""#)
    #expect(settings.ignored.isEmpty && settings.taken.allSatisfy(\.isApproximate))
    #expect(settings.recipe["raw"]?["detailAmount"] == .number(-0.3))
    #expect(settings.recipe["raw"]?["contrastAmount"] == .number(0.45))
    #expect(settings.recipe["raw"]?["dehazeAmount"] == .number(-0.2))
    // The clarity of 2010 has no effect where the one of 2012 is present.
    let both = try read(#"crs:ProcessVersion="11.0" crs:Clarity2012="+45" crs:Clarity="+9""#)
    #expect(both.recipe["raw"]?["contrastAmount"] == .number(0.45))
    let old = try read(#"crs:ProcessVersion="5.7" crs:Clarity="+25""#)
    #expect(old.recipe["raw"]?["contrastAmount"] == .number(0.25))
    #expect(try read(#"crs:Dehaze="+101""#).taken.isEmpty)
  }

  /// Hues of the primaries move the ranges around them, in addition to their own values.
  @Test func calibrationMovesTheRangesAboutThePrimaries() throws {
    let settings = try read(
      #"crs:RedHue="+20" crs:BlueSaturation="-40" crs:GreenHue="0" crs:HueAdjustmentOrange="+5""#)
    #expect(settings.ignored.isEmpty)
    let raw = settings.recipe["raw"]
    #expect(raw?["redHue"] == .number(0.2) && raw?["magentaHue"] == .number(0.1))
    #expect(raw?["orangeHue"] == .number(0.15) && raw?["blueSaturation"] == .number(-0.2))
    #expect(raw?["purpleSaturation"] == .number(-0.1) && raw?["greenHue"] == nil)
    let calibration = settings.taken.filter { $0.field == "crs:RedHue" }
    #expect(calibration.count == 1 && calibration[0].isApproximate)
    #expect(calibration[0].key == "raw.redHue" && calibration[0].note.contains("orange"))
    let extreme = try read(#"crs:RedHue="+100" crs:HueAdjustmentRed="+80""#)
    #expect(extreme.recipe["raw"]?["redHue"] == .number(1))
    #expect(fields(try read(#"crs:ShadowTint="+10""#).ignored) == ["ShadowTint"])
  }

  private func curve(_ settings: SidecarSettings) -> [Double]? {
    guard case .list(let list)? = settings.recipe["raw"]?["toneCurve"] else { return nil }
    return list.map { if case .number(let number) = $0 { number } else { .nan } }
  }

  @Test func aParametricCurveBecomesPoints() throws {
    let settings = try read(
      #"crs:ParametricShadows="-20" crs:ParametricLights="+40" crs:ParametricShadowSplit="30""#)
    #expect(settings.ignored.isEmpty)
    #expect(settings.taken.map(\.field) == ["crs:ParametricShadows", "crs:ParametricLights"])
    #expect(settings.taken.allSatisfy { $0.isApproximate && $0.key == "raw.toneCurve" })
    let points = try #require(curve(settings))
    #expect(points.count == 34 && points[1] == 0 && points[33] == 1)
    #expect(points[2 * 3 + 1] < 3 / 16.0 && points[2 * 11 + 1] > 11 / 16.0)
    // After it the curve through points.
    let points2012 = """
      <crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 51</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq>\
      </crs:ToneCurvePV2012>
      """
    let both = try read(#"crs:ProcessVersion="11.0" crs:ParametricDarks="+50""#, points2012)
    let composed = try #require(curve(both))
    #expect(composed[1] == 0.2 && composed[33] == 1)
    #expect(composed[2 * 6 + 1] > 0.2 + 0.8 * 6 / 16 + 0.04)
    #expect(both.taken.count == 2 && both.ignored.isEmpty)
  }

  @Test func parametricCurvesAreChecked() throws {
    #expect(curve(try read(#"crs:ParametricDarks="0" crs:ParametricShadowSplit="30""#)) == nil)
    #expect(try read(#"crs:ParametricDarks="0" crs:ParametricShadowSplit="30""#).ignored.isEmpty)
    let crossed = try read(#"crs:ParametricDarks="9" crs:ParametricShadowSplit="60""#)
    #expect(curve(crossed) == nil && crossed.ignored.count == 2)
    #expect(try read(#"crs:ParametricDarks="900""#).ignored.count == 1)
    // At all extremes they rise from black to white.
    for code in 0..<81 {
      let digits = [code % 3, code / 3 % 3, code / 9 % 3, code / 27].map { Double($0 - 1) }
      let curve = AdobeParametricCurve(
        amounts: SIMD4(digits[0], digits[1], digits[2], digits[3]), splits: SIMD3(0.1, 0.5, 0.55))
      let out = curve.points.map(\.y)
      #expect(out.first == 0 && out.last == 1 && PointCurve(curve.points).refusal == nil)
      #expect(zip(out, out.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func aSidecarOfTheProcessBefore2012() throws {
    let packet = try XMPPacket(Array(SidecarFixtures.elements.utf8))
    let settings = SidecarSettings(packet)
    let recipe: RecipeValue = .map([
      "raw": .map([
        "neutralTemperature": .number(6500), "neutralTint": .number(10),
        "exposure": .number(-0.35),
        "colorNoiseReductionAmount": .number(0.6), "isLensCorrectionEnabled": .bool(false),
        "sharpnessAmount": .number(0), "orientation": .number(6),
      ])
    ])
    #expect(changes(settings) == recipe)
    #expect(fields(settings.ignored) == ["Shadows", "FillLight"])
    #expect(settings.taken.first { $0.field == "crs:Exposure" }?.isApproximate == true)
  }

  /// Invariant of the report: no field twice, and none with an effect missing.
  @Test func everyFieldWithAnEffectIsInOneList() throws {
    for text in [SidecarFixtures.classic, SidecarFixtures.elements] {
      let packet = try XMPPacket(Array(text.utf8))
      let settings = AdobeSettings.read(packet)
      let reported = settings.taken.map(\.field) + settings.ignored.map(\.field)
      #expect(Set(reported).count == reported.count)
      let crs = packet.fields(in: .cameraRaw)
      for (field, value) in crs where !reported.contains("crs:\(field)") {
        let isKnown =
          ["WhiteBalance", "HasCrop", "CropAngle", "Sharpness", "ColorNoiseReduction"]
          .contains(field) || field == "CameraProfile" && value.text == "Embedded"
        #expect(isKnown || AdobeFields.isNeutral(field, value, among: crs), "\(field)")
      }
    }
    // Unknown fields are reported.
    let settings = try read("crs:Exposure2012='0' crs:Magic='3' crs:Wonder='Yes' crs:Nothing='0'")
    #expect(fields(settings.ignored) == ["Magic", "Wonder"])
  }

  /// Values that are as long as the file are ignored; names beyond ASCII are no fields.
  @Test func longTextsAreIgnored() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 200)
    let settings = try read(
      "crs:WhiteBalance='\(marks)' crs:HDREditMode='\(marks)' crs:CameraProfile='\(marks)' "
        + "crs:Magic='\(marks)' crs:\u{E9}='3'",
      "<crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0\(marks)</rdf:li><rdf:li>255, 255</rdf:li>"
        + "</rdf:Seq></crs:ToneCurvePV2012>")
    #expect(settings.taken.isEmpty)
    #expect(
      fields(settings.ignored) == [
        "WhiteBalance", "HDREditMode", "CameraProfile", "Magic", "ToneCurvePV2012",
      ])
  }

  @Test func perspectiveHasTheSameDirection() throws {
    let settings = try read("crs:PerspectiveVertical='-20' crs:PerspectiveHorizontal='-10'")
    #expect(settings.recipe["raw"]?["verticalPerspective"] == .number(8))
    #expect(settings.recipe["raw"]?["horizontalPerspective"] == .number(-4))
    #expect(settings.taken.allSatisfy(\.isApproximate) && settings.ignored.isEmpty)
  }

  @Test func twoAmountsOfDefringeAreOne() throws {
    let both = try read("crs:DefringePurpleAmount='4' crs:DefringeGreenAmount='10'")
    #expect(both.recipe["raw"]?["defringeAmount"] == .number(0.5))
    #expect(both.taken.count == 2 && both.ignored.isEmpty)
    let ranges = try read("crs:DefringePurpleAmount='20' crs:DefringePurpleHueLo='10'")
    #expect(ranges.recipe["raw"]?["defringeAmount"] == .number(1))
    #expect(fields(ranges.ignored) == ["DefringePurpleHueLo"])
    let wrong = try read("crs:DefringePurpleAmount='21'")
    #expect(wrong.taken.isEmpty && fields(wrong.ignored) == ["DefringePurpleAmount"])
    #expect(try read("crs:DefringePurpleAmount='0'").recipe["raw"]?["defringeAmount"] == nil)
  }

  @Test func asShotIsNeverFrozen() throws {
    let settings = try read("crs:WhiteBalance='As Shot' crs:Temperature='5000' crs:Tint='+6'")
    #expect(settings.recipe == .map(["raw": .map(["neutralTemperature": .null])]))
    #expect(settings.ignored.isEmpty)
  }

  @Test func namedLightsAreTheirNumbers() throws {
    let given = try read("crs:WhiteBalance='Daylight' crs:Temperature='5400' crs:Tint='8'")
    #expect(given.recipe["raw"]?["neutralTemperature"] == .number(5400))
    #expect(given.recipe["raw"]?["neutralTint"] == .number(8))
    let named = try read("crs:WhiteBalance='Fluorescent'")
    #expect(named.recipe["raw"]?["neutralTemperature"] == .number(3800))
    #expect(named.recipe["raw"]?["neutralTint"] == .number(21))
    let automatic = try read("crs:WhiteBalance='Auto' crs:Temperature='5400' crs:Tint='8'")
    #expect(automatic.recipe["raw"] == .map(["isAutomaticWhiteBalanceEnabled": .bool(true)]))
    #expect(automatic.taken.map(\.isApproximate) == [true])
    #expect(fields(try read("crs:WhiteBalance='Candle'").ignored) == ["WhiteBalance"])
    let custom = try read("crs:Temperature='4100' crs:Tint='0'")
    #expect(custom.recipe["raw"]?["neutralTemperature"] == .number(4100))
  }

  @Test func numbersOutOfRangeAreIgnored() throws {
    for attribute in [
      "Exposure2012='99'", "Exposure2012='much'", "LuminanceSmoothing='-1'",
      "ColorNoiseReduction='101'", "LensProfileEnable='2'", "HDREditMode='maybe'",
      "CropLeft='x'", "CropAngle='50'",
    ] {
      let settings = try read("crs:\(attribute)")
      #expect(settings.recipe == .map([:]), "\(attribute)")
      #expect(settings.ignored.count == 1, "\(attribute)")
    }
    let white = try read("crs:WhiteBalance='Custom' crs:Temperature='100' crs:Tint='5'")
    #expect(white.recipe == .map([:]))
    #expect(fields(white.ignored) == ["Temperature", "Tint", "WhiteBalance"])
    let orientation = try read("crs:Exposure2012='1' tiff:Orientation='9'")
    #expect(orientation.recipe == .map(["raw": .map(["exposure": .number(1)])]))
    #expect(orientation.ignored.map(\.field) == ["tiff:Orientation"])
  }

  @Test func toneColorAndFinishAreAHundredth() throws {
    let settings = try read(
      """
      crs:Contrast2012='+25' crs:HueAdjustmentAqua='-40' crs:LuminanceAdjustmentBlue='-100' \
      crs:ConvertToGrayscale='True' crs:GrayMixerRed='+12' crs:SplitToningShadowHue='220' \
      crs:SplitToningShadowSaturation='30' crs:ColorGradeHighlightLum='-7' \
      crs:ColorGradeBlending='80' crs:SplitToningBalance='+20' crs:PostCropVignetteAmount='-30' \
      crs:PostCropVignetteFeather='70' crs:GrainAmount='20' crs:GrainSize='40' \
      crs:GrainFrequency='60' crs:PostCropVignetteStyle='2'
      """,
      """
      <crs:ToneCurvePV2012Blue><rdf:Seq><rdf:li>0, 51</rdf:li><rdf:li>255, 204</rdf:li></rdf:Seq>\
      </crs:ToneCurvePV2012Blue>
      """)
    let expected: [String: RecipeValue] = [
      "contrast": .number(0.25), "aquaHue": .number(-0.4), "blueLuminance": .number(-1),
      "isBlackAndWhiteEnabled": .bool(true), "redGray": .number(0.12), "shadowHue": .number(220),
      "shadowSaturation": .number(0.3), "highlightLuminance": .number(-0.07),
      "gradingBlending": .number(0.8), "gradingBalance": .number(0.2),
      "vignetteAmount": .number(-0.3), "vignetteFeather": .number(0.7),
      "grainAmount": .number(0.2), "grainSize": .number(0.4), "grainRoughness": .number(0.6),
      "blueToneCurve": .list([0, 0.2, 1, 0.8].map(RecipeValue.number)),
    ]
    #expect(settings.recipe == .map(["raw": .map(expected)]))
    #expect(settings.taken.count == expected.count && settings.taken.allSatisfy(\.isApproximate))
    #expect(fields(settings.ignored) == ["PostCropVignetteStyle"])
    // Values out of range, and invalid curves, are reported.
    let bad = try read(
      "crs:Whites2012='120' crs:GrainAmount='-1'",
      """
      <crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255</rdf:li></rdf:Seq>\
      </crs:ToneCurvePV2012>
      """)
    #expect(bad.recipe == .map([:]))
    #expect(fields(bad.ignored) == ["Whites2012", "GrainAmount", "ToneCurvePV2012"])
    // Settings of an older process are not the same.
    let older = try read("crs:ProcessVersion='5.7' crs:Contrast='50' crs:Vibrance='10'")
    #expect(older.recipe == .map(["raw": .map(["vibrance": .number(0.1)])]))
    #expect(fields(older.ignored) == ["Contrast"])
  }

  @Test func whatIsAppliedAlreadyIsNotAppliedAgain() throws {
    let settings = try read(
      "crs:AlreadyApplied='True' crs:Exposure2012='+1' crs:Contrast2012='0' tiff:Orientation='6'")
    #expect(settings.recipe == .map([:]))
    #expect(settings.taken.isEmpty)
    #expect(fields(settings.ignored) == ["Exposure2012"])
    #expect(settings.notes.contains { $0.contains("AlreadyApplied") })
  }

  @Test func theOlderFieldsBesideTheNewerHaveNoEffect() throws {
    let settings = try read(
      "crs:ProcessVersion='6.7' crs:Exposure='+2' crs:Brightness='+80' crs:Exposure2012='-1'")
    #expect(settings.recipe["raw"] == .map(["exposure": .number(-1)]))
    #expect(fields(settings.ignored) == ["Exposure", "Brightness"])
    let older = try read("crs:ProcessVersion='5.7' crs:Exposure='+2' crs:Exposure2012='-1'")
    #expect(older.recipe["raw"] == .map(["exposure": .number(2)]))
  }

  @Test func headroomIsTwoToTheStops() throws {
    let on = try read("crs:HDREditMode='1' crs:HDRMaxValue='+4.00'")
    #expect(on.recipe["render"] == .map(["headroomLimit": .number(16)]))
    let off = try read("crs:HDREditMode='0' crs:HDRMaxValue='+4.00' crs:SDRBrightness='+50'")
    #expect(off.recipe == .map([:]))
    #expect(off.ignored.isEmpty)
    #expect(off.notes.count == 1)
  }

  @Test func correctionsInTheFileStayWithoutALensProfile() throws {
    let text = "crs:LensProfileEnable='0' crs:AutoLateralCA='1'"
    let without = try read(text)
    let lateral: [String: RecipeValue] = ["isLateralColorCorrectionEnabled": .bool(true)]
    #expect(
      without.recipe["raw"]
        == .map(lateral.merging(["isLensCorrectionEnabled": .bool(false)]) { $1 }))
    #expect(without.ignored.isEmpty)
    let with = try read(text, traits: RawTraits(hasLensCorrections: true))
    #expect(with.recipe["raw"] == .map(lateral))
  }

  @Test func profilesAreTakenWhereTheFileHasThem() throws {
    let text = "crs:CameraProfile='Adobe Standard'"
    #expect(fields(try read(text).ignored) == ["CameraProfile"])
    let with = try read(text, traits: RawTraits(profileNames: ["Adobe Standard"]))
    #expect(with.recipe["raw"] == .map(["profileName": .text("Adobe Standard")]))
    #expect(try read("crs:CameraProfile='Embedded'").ignored.isEmpty)
  }

  @Test func cropsFollowTheOrientationInForce() throws {
    let text =
      """
      crs:HasCrop='True' crs:CropLeft='0.1' crs:CropTop='0.2' crs:CropRight='0.5' \
      crs:CropBottom='0.9'
      """
    let own = try read(text, traits: RawTraits(orientation: 6))
    #expect(own.recipe["raw"]?["crop"] == "10%,10%,70%,40%")
    let replaced = try read(text + " tiff:Orientation='1'", traits: RawTraits(orientation: 6))
    #expect(replaced.recipe["raw"]?["crop"] == "10%,20%,40%,70%")
    // A rotated crop needs the aspect ratio, from the file or from the sidecar.
    let turned = try read(text + " crs:CropAngle='2'")
    #expect(turned.recipe == .map([:]))
    #expect(turned.ignored.count == 5)
    let known = try read(text + " crs:CropAngle='2' tiff:ImageWidth='6000' tiff:ImageLength='4000'")
    #expect(known.recipe["raw"]?["straightenAngle"] == .number(-2))
    #expect(
      known.recipe
        == (try read(text + " crs:CropAngle='2'", traits: RawTraits(storedAspect: 1.5))).recipe)
    let none = try read(text.replacingOccurrences(of: "'True'", with: "'False'"))
    #expect(none.recipe == .map([:]) && none.ignored.isEmpty)
  }

  @Test func defaultsThatMeanAsNeededGiveNoKey() throws {
    let standard = try read(
      "crs:ColorNoiseReduction='25' crs:Sharpness='40' crs:LuminanceSmoothing='0' "
        + "crs:AutoLateralCA='0'")
    #expect(standard.recipe == .map([:]) && standard.ignored.isEmpty)
    let off = try read("crs:ColorNoiseReduction='0' crs:Sharpness='0'")
    #expect(
      off.recipe["raw"]
        == .map(["colorNoiseReductionAmount": .number(0), "sharpnessAmount": .number(0)]))
    #expect(off.taken.allSatisfy { !$0.isApproximate })
    #expect(
      fields(try read("crs:Sharpness='60' crs:SharpenRadius='1.5'").ignored) == [
        "Sharpness", "SharpenRadius",
      ])
  }
}
