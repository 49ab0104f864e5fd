/// Sidecars in the structure of real ones.
enum SidecarFixtures {
  /// Lightroom Classic 13, attribute form: a rotated portrait with a look, masks and curves.
  static let classic = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 7.0-c000 1.000000, \
    0000/00/00-00:00:00">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
        xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
        xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       xmp:CreatorTool="Adobe Photoshop Lightroom Classic 13.2 (Windows)"
       xmp:Rating="4"
       xmp:Label="Rot"
       tiff:Make="Canon"
       tiff:Model="Canon EOS 5D Mark IV"
       tiff:ImageWidth="6720"
       tiff:ImageLength="4480"
       tiff:Orientation="8"
       exif:ExposureTime="1/250"
       photoshop:SidecarForExtension="CR2"
       xmpMM:PreservedFileName="5D4_0421.CR2"
       dc:format="image/x-canon-cr2"
       crs:RawFileName="5D4_0421.CR2"
       crs:Version="16.2"
       crs:ProcessVersion="15.4"
       crs:WhiteBalance="Custom"
       crs:Temperature="5350"
       crs:Tint="+7"
       crs:Exposure2012="+0.65"
       crs:Contrast2012="+12"
       crs:Highlights2012="-48"
       crs:Shadows2012="+31"
       crs:Whites2012="+9"
       crs:Blacks2012="-14"
       crs:Texture="+10"
       crs:Clarity2012="+8"
       crs:Dehaze="0"
       crs:Vibrance="+15"
       crs:Saturation="0"
       crs:ParametricShadows="0"
       crs:ParametricDarks="0"
       crs:ParametricLights="0"
       crs:ParametricHighlights="0"
       crs:ParametricShadowSplit="25"
       crs:ParametricMidtoneSplit="50"
       crs:ParametricHighlightSplit="75"
       crs:Sharpness="40"
       crs:SharpenRadius="+1.0"
       crs:SharpenDetail="25"
       crs:SharpenEdgeMasking="0"
       crs:LuminanceSmoothing="20"
       crs:LuminanceNoiseReductionDetail="50"
       crs:LuminanceNoiseReductionContrast="0"
       crs:ColorNoiseReduction="25"
       crs:ColorNoiseReductionDetail="50"
       crs:ColorNoiseReductionSmoothness="50"
       crs:HueAdjustmentRed="0"
       crs:HueAdjustmentOrange="0"
       crs:HueAdjustmentYellow="0"
       crs:HueAdjustmentGreen="0"
       crs:HueAdjustmentAqua="0"
       crs:HueAdjustmentBlue="0"
       crs:HueAdjustmentPurple="0"
       crs:HueAdjustmentMagenta="0"
       crs:SaturationAdjustmentRed="0"
       crs:SaturationAdjustmentOrange="-8"
       crs:SaturationAdjustmentYellow="0"
       crs:SaturationAdjustmentGreen="0"
       crs:SaturationAdjustmentAqua="0"
       crs:SaturationAdjustmentBlue="0"
       crs:SaturationAdjustmentPurple="0"
       crs:SaturationAdjustmentMagenta="0"
       crs:LuminanceAdjustmentRed="0"
       crs:LuminanceAdjustmentOrange="0"
       crs:LuminanceAdjustmentYellow="0"
       crs:LuminanceAdjustmentGreen="0"
       crs:LuminanceAdjustmentAqua="0"
       crs:LuminanceAdjustmentBlue="0"
       crs:LuminanceAdjustmentPurple="0"
       crs:LuminanceAdjustmentMagenta="0"
       crs:SplitToningShadowHue="215"
       crs:SplitToningShadowSaturation="0"
       crs:SplitToningHighlightHue="40"
       crs:SplitToningHighlightSaturation="0"
       crs:SplitToningBalance="0"
       crs:ColorGradeMidtoneHue="0"
       crs:ColorGradeMidtoneSat="0"
       crs:ColorGradeShadowLum="0"
       crs:ColorGradeMidtoneLum="0"
       crs:ColorGradeHighlightLum="0"
       crs:ColorGradeBlending="50"
       crs:ColorGradeGlobalHue="0"
       crs:ColorGradeGlobalSat="0"
       crs:ColorGradeGlobalLum="0"
       crs:AutoLateralCA="1"
       crs:LensProfileEnable="1"
       crs:LensManualDistortionAmount="0"
       crs:VignetteAmount="0"
       crs:DefringePurpleAmount="0"
       crs:DefringePurpleHueLo="30"
       crs:DefringePurpleHueHi="70"
       crs:DefringeGreenAmount="0"
       crs:DefringeGreenHueLo="40"
       crs:DefringeGreenHueHi="60"
       crs:PerspectiveUpright="0"
       crs:PerspectiveVertical="0"
       crs:PerspectiveHorizontal="0"
       crs:PerspectiveRotate="0.0"
       crs:PerspectiveAspect="0"
       crs:PerspectiveScale="100"
       crs:PerspectiveX="0.00"
       crs:PerspectiveY="0.00"
       crs:GrainAmount="0"
       crs:PostCropVignetteAmount="-11"
       crs:PostCropVignetteMidpoint="50"
       crs:PostCropVignetteFeather="50"
       crs:PostCropVignetteRoundness="0"
       crs:PostCropVignetteStyle="1"
       crs:PostCropVignetteHighlightContrast="0"
       crs:ShadowTint="0"
       crs:RedHue="0"
       crs:RedSaturation="0"
       crs:GreenHue="0"
       crs:GreenSaturation="0"
       crs:BlueHue="0"
       crs:BlueSaturation="0"
       crs:HDREditMode="1"
       crs:HDRMaxValue="+2.30"
       crs:SDRBrightness="+5"
       crs:SDRContrast="0"
       crs:SDRClarity="0"
       crs:SDRHighlights="0"
       crs:SDRShadows="0"
       crs:SDRWhites="0"
       crs:SDRBlend="0"
       crs:CurveRefineSaturation="100"
       crs:OverrideLookVignette="False"
       crs:ToneCurveName2012="Custom"
       crs:CameraProfile="Camera Portrait"
       crs:CameraProfileDigest="8A1E9B1D7E6F4B7F9C7F53C7A6A4B1F0"
       crs:LensProfileSetup="LensDefaults"
       crs:LensProfileName="Adobe (Canon EF 50mm f/1.4 USM)"
       crs:LensProfileFilename="Canon (Canon EF 50mm f1.4 USM) - RAW.lcp"
       crs:LensProfileDigest="3C7A3D2C56E1A4B1B0B5C1D2E3F4A5B6"
       crs:LensProfileIsEmbedded="False"
       crs:LensProfileDistortionScale="100"
       crs:LensProfileVignettingScale="100"
       crs:HasSettings="True"
       crs:CropTop="0.1"
       crs:CropLeft="0.2"
       crs:CropBottom="0.8"
       crs:CropRight="0.95"
       crs:CropAngle="0"
       crs:CropConstrainToWarp="0"
       crs:HasCrop="True"
       crs:AlreadyApplied="False">
       <dc:subject>
        <rdf:Bag>
         <rdf:li>Portrait</rdf:li>
         <rdf:li>Rathaus &amp; Markt</rdf:li>
        </rdf:Bag>
       </dc:subject>
       <xmpMM:History>
        <rdf:Seq>
         <rdf:li
          stEvt:action="saved"
          stEvt:changed="/metadata"/>
        </rdf:Seq>
       </xmpMM:History>
       <crs:ToneCurvePV2012>
        <rdf:Seq>
         <rdf:li>0, 0</rdf:li>
         <rdf:li>64, 58</rdf:li>
         <rdf:li>255, 255</rdf:li>
        </rdf:Seq>
       </crs:ToneCurvePV2012>
       <crs:ToneCurvePV2012Red>
        <rdf:Seq>
         <rdf:li>0, 0</rdf:li>
         <rdf:li>255, 255</rdf:li>
        </rdf:Seq>
       </crs:ToneCurvePV2012Red>
       <crs:Look>
        <rdf:Description
         crs:Name="Adobe Portrait"
         crs:Amount="1"
         crs:UUID="D6496412E06A83789C499DF9540AA616"
         crs:SupportsAmount="false">
        <crs:Group>
         <rdf:Alt>
          <rdf:li xml:lang="x-default">Profiles</rdf:li>
         </rdf:Alt>
        </crs:Group>
        <crs:Parameters>
         <rdf:Description
          crs:Version="16.2"
          crs:ProcessVersion="15.4"
          crs:Exposure2012="-3.00"
          crs:Temperature="2000"
          crs:AlreadyApplied="True"
          crs:CameraProfile="Adobe Standard"
          crs:LookTable="E1095149FDB39D7A057BAB208837E2E1">
         </rdf:Description>
        </crs:Parameters>
        </rdf:Description>
       </crs:Look>
       <crs:MaskGroupBasedCorrections>
        <rdf:Seq>
         <rdf:li>
          <rdf:Description
           crs:What="Correction"
           crs:CorrectionAmount="1"
           crs:CorrectionActive="true"
           crs:LocalExposure2012="0.18">
          <crs:CorrectionMasks>
           <rdf:Seq>
            <rdf:li
             crs:What="Mask/Image"
             crs:MaskActive="true"
             crs:MaskSubType="1"/>
           </rdf:Seq>
          </crs:CorrectionMasks>
          </rdf:Description>
         </rdf:li>
         <rdf:li>
          <rdf:Description crs:What="Correction" crs:Exposure2012="4.00"/>
         </rdf:li>
        </rdf:Seq>
       </crs:MaskGroupBasedCorrections>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """

  /// A sidecar with these attributes and elements, in crs:, tiff:, photoshop: and xmpMM:.
  static func packet(_ attributes: String, _ elements: String = "") -> String {
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
     <rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
      xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" \(attributes)>\(elements)</rdf:Description>
    </rdf:RDF>
    """
  }
}
