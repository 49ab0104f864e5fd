extension SidecarFixtures {
  /// Lightroom 3, element form, other prefixes, no xpacket, the process of 2010.
  static let elements = """
    <?xml version="1.0" encoding="UTF-8"?>
    <xap:xapmeta xmlns:xap="adobe:ns:meta/">
     <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description r:about="" xmlns:t="http://ns.adobe.com/tiff/1.0/">
       <t:Orientation>6</t:Orientation>
      </r:Description>
      <r:Description r:about="" xmlns:raw="http://ns.adobe.com/camera-raw-settings/1.0/">
       <raw:Version>6.4</raw:Version>
       <raw:ProcessVersion>5.7</raw:ProcessVersion>
       <raw:WhiteBalance>Cloudy</raw:WhiteBalance>
       <raw:Exposure> -0.35 </raw:Exposure>
       <raw:Shadows>11</raw:Shadows>
       <raw:Brightness>+50</raw:Brightness>
       <raw:Contrast>+25</raw:Contrast>
       <raw:FillLight>18</raw:FillLight>
       <raw:Sharpness>0</raw:Sharpness>
       <raw:LuminanceSmoothing>0</raw:LuminanceSmoothing>
       <raw:ColorNoiseReduction>60</raw:ColorNoiseReduction>
       <raw:LensProfileEnable>0</raw:LensProfileEnable>
       <raw:AutoLateralCA>0</raw:AutoLateralCA>
       <raw:ToneCurveName>Medium Contrast</raw:ToneCurveName>
       <raw:CameraProfile>Embedded</raw:CameraProfile>
       <raw:HasSettings>True</raw:HasSettings>
       <raw:HasCrop>False</raw:HasCrop>
       <raw:AlreadyApplied>False</raw:AlreadyApplied>
       <raw:ToneCurve>
        <r:Seq>
         <r:li>0, 0</r:li>
         <r:li>32, 22</r:li>
         <r:li>64, 56</r:li>
         <r:li>128, 128</r:li>
         <r:li>192, 196</r:li>
         <r:li>255, 255</r:li>
        </r:Seq>
       </raw:ToneCurve>
      </r:Description>
     </r:RDF>
    </xap:xapmeta>
    """

  /// darktable 4.
  static let darktable = """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
        xmlns:darktable="http://darktable.sf.net/"
       exif:DateTimeOriginal="2024:05:04 10:11:12.000"
       xmp:Rating="1"
       xmpMM:DerivedFrom="IMG_0001.CR2"
       darktable:import_timestamp="63850387872000000"
       darktable:xmp_version="5"
       darktable:raw_params="0"
       darktable:auto_presets_applied="1"
       darktable:history_end="5"
       darktable:iop_order_version="4"
       darktable:history_basic_hash="d2f1">
       <darktable:masks_history>
        <rdf:Seq/>
       </darktable:masks_history>
       <darktable:history>
        <rdf:Seq>
         <rdf:li
          darktable:num="0"
          darktable:operation="rawprepare"
          darktable:enabled="1"
          darktable:modversion="2"
          darktable:params="00000000000000000000000000000000ff07ff07ff07ff07ff3f000000000000"
          darktable:multi_name=""
          darktable:multi_priority="0"
          darktable:blendop_version="13"
          darktable:blendop_params="gz11eJxjYGBgkGAAgRNODESDBnsIHll8ANNSGQM="/>
         <rdf:li
          darktable:num="1"
          darktable:operation="flip"
          darktable:enabled="1"
          darktable:modversion="2"
          darktable:params="05000000"
          darktable:multi_name=""
          darktable:multi_priority="0"/>
         <rdf:li
          darktable:num="2"
          darktable:operation="exposure"
          darktable:enabled="1"
          darktable:modversion="6"
          darktable:params="0000000000000080333333bf00004842000080c001000000"
          darktable:multi_name=""
          darktable:multi_priority="0"/>
         <rdf:li
          darktable:num="3"
          darktable:operation="exposure"
          darktable:enabled="1"
          darktable:modversion="6"
          darktable:params="00000000000000800000003f00004842000080c001000000"
          darktable:multi_name="sky"
          darktable:multi_priority="1"/>
         <rdf:li
          darktable:num="4"
          darktable:operation="rawprepare"
          darktable:enabled="0"
          darktable:modversion="2"
          darktable:params="0000"
          darktable:multi_name=""
          darktable:multi_priority="0"/>
         <rdf:li
          darktable:num="5"
          darktable:operation="sharpen"
          darktable:enabled="1"
          darktable:modversion="1"
          darktable:params="000000400000003f0000003f"
          darktable:multi_name=""
          darktable:multi_priority="0"/>
        </rdf:Seq>
       </darktable:history>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    """
}
