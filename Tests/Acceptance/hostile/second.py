"""What decoders that are not ours say of files: on standard input lines of a kind of file, a tab
and a path, on standard output a line of JSON for each, {"refuses": the reason or null, "decoder":
its name}.

JPEG, PNG and AVIF are decoded by Pillow (libjpeg-turbo, libpng, libavif), HEIF by pillow-heif
(libheif), TIFF by tifffile with imagecodecs, JPEG XL by imagecodecs (libjxl), OpenEXR by its own
reader, Radiance by OpenImageIO, WebP by Pillow, raws by rawpy (LibRaw).
"""
import io
import json
import sys
import tempfile
import warnings

import OpenEXR
import OpenImageIO as oiio
import imagecodecs
import numpy as np
import pillow_heif
import rawpy
import tifffile
from PIL import Image

# A warning is no refusal, and nobody reads it here.
warnings.simplefilter("ignore")


def pillow(data):
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()


def heif(data):
    pillow_heif.open_heif(data)[0].to_pillow()


def tiff(data):
    with tifffile.TiffFile(io.BytesIO(data)) as file:
        file.pages[0].asarray()


def exr(data):
    with tempfile.NamedTemporaryFile(suffix=".exr") as file:
        file.write(data)
        file.flush()
        OpenEXR.File(file.name).channels()


def radiance(data):
    with tempfile.NamedTemporaryFile(suffix=".hdr") as file:
        file.write(data)
        file.flush()
        picture = oiio.ImageBuf(file.name)
        if not picture.read(0, 0, True) or picture.has_error:
            raise ValueError(picture.geterror())


def raw(data):
    with rawpy.imread(io.BytesIO(data)) as file:
        file.raw_image.shape


DECODERS = {"jpeg": ("Pillow", pillow), "png": ("Pillow", pillow), "heif": ("pillow-heif", heif),
            "avif": ("Pillow", pillow), "webp": ("Pillow", pillow), "exr": ("OpenEXR", exr),
            "radiance": ("OpenImageIO", radiance),
            "npy": ("NumPy", lambda data: np.load(io.BytesIO(data))),
            "tiff": ("tifffile", tiff),
            "jxl": ("imagecodecs", imagecodecs.jpegxl_decode), "raw": ("rawpy", raw)}


def main():
    for line in sys.stdin:
        family, path = line.rstrip("\n").split("\t")
        name, decode = DECODERS[family]
        refuses = None
        try:
            with open(path, "rb") as file:
                decode(file.read())
        # Whatever a decoder throws is its way to refuse.
        except Exception as error:
            refuses = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps({"refuses": refuses, "decoder": name}), flush=True)


if __name__ == "__main__":
    main()
