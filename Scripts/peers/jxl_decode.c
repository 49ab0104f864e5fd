// Decodes JPEG XL codestreams by libjxl on one thread, to 16-bit samples that nobody looks at: the
// least that developing a raw of them can cost.
//
// usage: jxl_decode FILE…
#include <jxl/decode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int decode(const uint8_t *bytes, size_t count) {
  JxlDecoder *decoder = JxlDecoderCreate(NULL);
  JxlPixelFormat format = {3, JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
  JxlBasicInfo info = {0};
  void *pixels = NULL;
  size_t size = 0;
  JxlDecoderStatus status = JXL_DEC_ERROR;
  if (!decoder ||
      JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_FULL_IMAGE) ||
      JxlDecoderSetInput(decoder, bytes, count))
    return 0;
  JxlDecoderCloseInput(decoder);
  while ((status = JxlDecoderProcessInput(decoder)) != JXL_DEC_SUCCESS) {
    if (status == JXL_DEC_BASIC_INFO) {
      if (JxlDecoderGetBasicInfo(decoder, &info)) break;
      format.num_channels = info.num_color_channels;
    } else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
      if (JxlDecoderImageOutBufferSize(decoder, &format, &size)) break;
      pixels = realloc(pixels, size);
      if (!pixels || JxlDecoderSetImageOutBuffer(decoder, &format, pixels, size)) break;
    } else if (status != JXL_DEC_FULL_IMAGE) {
      break;
    }
  }
  JxlDecoderDestroy(decoder);
  free(pixels);
  return status == JXL_DEC_SUCCESS;
}

int main(int count, char **names) {
  for (int index = 1; index < count; index++) {
    FILE *file = fopen(names[index], "rb");
    if (!file) return perror(names[index]), 1;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size);
    int is_whole = bytes && fread(bytes, 1, size, file) == size && decode(bytes, size);
    fclose(file);
    free(bytes);
    if (!is_whole) return fprintf(stderr, "%s is no JPEG XL\n", names[index]), 1;
  }
  return 0;
}
