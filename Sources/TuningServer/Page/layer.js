// One rendition in the viewer: a soft one of all of the picture, under a sharp one of the part that
// is seen. Pixels are drawn on a canvas; an AVIF is shown as an image, as no canvas shows HDR in
// every browser.

/** The color space of `rgba8`: that of the display. */
export const isWideGamut = matchMedia('(color-gamut: p3)').matches;
const colorSpace = isWideGamut ? 'display-p3' : 'srgb';

export class Layer {
  constructor(parent, name, title, view) {
    this.view = view;
    this.element = document.createElement('div');
    this.element.className = 'layer';
    this.element.id = `layer-${name}`;
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', title);
    this.element.append(this.canvas);
    parent.append(this.element);
    this.pieces = [];
  }

  get isEmpty() { return this.pieces.length === 0; }

  clear() {
    for (const piece of this.pieces) this.drop(piece);
    this.pieces = [];
    this.draw();
  }

  /** Shows a result of `api.render` that was made from the values of `version`. */
  async take(result, version) {
    const [x, y, width, height] = result.part;
    const isWhole = width === result.whole[0] && height === result.whole[1];
    const piece = { ...result, version, isWhole, bytes: undefined };
    if (result.blob) {
      piece.image = new Image();
      piece.image.alt = '';
      piece.image.draggable = false;
      piece.image.src = URL.createObjectURL(result.blob);
      await piece.image.decode();
    } else {
      const [columns, rows] = result.size;
      // Many come in a second: the pixels of the one that is replaced are used again.
      const like = this.pieces.find((other) => other.isWhole === isWhole)?.bitmap;
      piece.bitmap = like?.width === columns && like.height === rows
        ? like : new OffscreenCanvas(columns, rows);
      piece.bitmap.getContext('2d', { colorSpace })
        .putImageData(new ImageData(result.bytes, columns, rows, { colorSpace }), 0, 0);
    }
    // A new piece replaces its like; a whole one that is newer hides a part.
    const [kept, old] = [[], []];
    for (const other of this.pieces) {
      const isStale = other.isWhole === isWhole || (isWhole && other.version <= version)
        || `${other.whole}` !== `${piece.whole}`;
      (isStale ? old : kept).push(other);
    }
    this.pieces = [...kept, piece].sort((a, b) => b.isWhole - a.isWhole);
    if (piece.image) this.element.append(piece.image);
    this.draw();
    for (const other of old) this.drop(other);
  }

  drop(piece) {
    if (!piece.image) return;
    URL.revokeObjectURL(piece.image.src);
    piece.image.remove();
  }

  /** Draws again, after the view moved. */
  draw() {
    const { view } = this;
    const { box, density } = view;
    if (this.canvas.width !== box.width || this.canvas.height !== box.height) {
      this.canvas.width = box.width;
      this.canvas.height = box.height;
      this.canvas.style.width = `${box.width / density}px`;
      this.canvas.style.height = `${box.height / density}px`;
    }
    const context = this.canvas.getContext('2d', { colorSpace });
    context.clearRect(0, 0, box.width, box.height);
    for (const piece of this.pieces) {
      const at = view.place(piece.part);
      // Pixels are pixels from 100 % on.
      const isExact = piece.size[0] === at.width && piece.size[1] === at.height;
      const isSharp = isExact || (view.scale > 1 && !view.isFit && !this.isSoft(piece));
      if (piece.bitmap) {
        context.imageSmoothingEnabled = !isSharp;
        context.imageSmoothingQuality = 'high';
        context.drawImage(piece.bitmap, at.x, at.y, at.width, at.height);
      } else {
        const { style } = piece.image;
        style.left = `${at.x / density}px`;
        style.top = `${at.y / density}px`;
        style.width = `${at.width / density}px`;
        style.height = `${at.height / density}px`;
        style.zIndex = piece.isWhole ? '0' : '1';
        style.imageRendering = isSharp ? 'pixelated' : 'auto';
      }
    }
  }

  isSoft(piece) { return piece.size[0] < piece.part[2]; }

  /** Shows only what is left of `share` of the viewer's width; null shows all. */
  clip(share) {
    this.element.style.clipPath = share === null ? '' : `inset(0 ${(1 - share) * 100}% 0 0)`;
  }
}
