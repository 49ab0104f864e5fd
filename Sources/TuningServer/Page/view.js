// Where the picture lies in the viewer: its zoom, its center, and the pixels that are seen.
//
// Lengths are device pixels, so that a picture at 100 % is shown pixel by pixel.

/** Largest space around a fitted picture, CSS pixels, and as part of the width; as in layout.css. */
const margin = { most: 20, part: 0.025 };
/** Largest zoom, device pixels for each of the picture. */
const largest = 16;

export const view = {
  /** Device pixels for each pixel of the picture, or "fit". */
  zoom: 'fit',
  /** The pixel of the picture in the middle of the viewer. */
  center: { x: 0, y: 0 },
  /** The finished picture, pixels. */
  whole: { width: 3, height: 2 },
  /** The viewer. */
  box: { width: 1, height: 1 },
  /** Device pixels for each CSS pixel. */
  density: 1,

  get isFit() { return this.zoom === 'fit'; },

  get fitScale() {
    const space = 2 * Math.min(margin.most * this.density, margin.part * this.box.width);
    return Math.max(1e-3, Math.min((this.box.width - space) / this.whole.width,
      (this.box.height - space) / this.whole.height));
  },

  /** Device pixels for each pixel of the picture. */
  get scale() { return this.isFit ? this.fitScale : this.zoom; },

  /** The left upper corner of the picture, on the grid of device pixels. */
  get origin() {
    const { scale, box, whole } = this;
    const center = this.isFit ? { x: whole.width / 2, y: whole.height / 2 } : this.center;
    return {
      x: Math.round(box.width / 2 - center.x * scale),
      y: Math.round(box.height / 2 - center.y * scale),
    };
  },

  /** Where a part of the picture is shown, whole device pixels. */
  place([x, y, width, height]) {
    const { origin, scale } = this;
    const left = Math.round(origin.x + x * scale);
    const top = Math.round(origin.y + y * scale);
    return {
      x: left, y: top,
      width: Math.max(1, Math.round(origin.x + (x + width) * scale) - left),
      height: Math.max(1, Math.round(origin.y + (y + height) * scale) - top),
    };
  },

  /** The part that is seen, whole pixels of the picture; null where that is all of it. */
  get part() {
    if (this.isFit) return null;
    const { origin, scale, box, whole } = this;
    const x = Math.max(0, Math.floor(-origin.x / scale));
    const y = Math.max(0, Math.floor(-origin.y / scale));
    const right = Math.min(whole.width, Math.ceil((box.width - origin.x) / scale));
    const bottom = Math.min(whole.height, Math.ceil((box.height - origin.y) / scale));
    const isWhole = x === 0 && y === 0 && right === whole.width && bottom === whole.height;
    return isWhole ? null : [x, y, Math.max(1, right - x), Math.max(1, bottom - y)];
  },

  /** The size at which `part` is asked for: as many pixels as are shown, at most all it has. */
  fit(part) {
    const [width, height] = part ? part.slice(2) : [this.whole.width, this.whole.height];
    const scale = Math.min(1, this.scale);
    return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  },

  /** Zooms so that what is at (`x`, `y`) of the viewer stays there. */
  zoomAt(zoom, x = this.box.width / 2, y = this.box.height / 2) {
    const { origin, scale } = this;
    const at = { x: (x - origin.x) / scale, y: (y - origin.y) / scale };
    if (zoom === 'fit') {
      this.zoom = 'fit';
      return;
    }
    this.zoom = Math.min(largest, Math.max(Math.min(this.fitScale, 1), zoom));
    this.center = {
      x: at.x - (x - this.box.width / 2) / this.zoom,
      y: at.y - (y - this.box.height / 2) / this.zoom,
    };
    this.hold();
  },

  /** Moves the picture by device pixels. */
  pan(x, y) {
    if (this.isFit) return;
    this.center = { x: this.center.x - x / this.zoom, y: this.center.y - y / this.zoom };
    this.hold();
  },

  /** Keeps the picture in the viewer: in its middle where it is smaller. */
  hold() {
    for (const [axis, side] of [['x', 'width'], ['y', 'height']]) {
      const half = this.box[side] / 2 / this.scale;
      const length = this.whole[side];
      this.center[axis] = length <= 2 * half
        ? length / 2 : Math.min(length - half, Math.max(half, this.center[axis]));
    }
  },

  /** Puts an element where all of the picture is. */
  lay({ style }) {
    const at = this.place([0, 0, this.whole.width, this.whole.height]);
    for (const [property, value] of Object.entries(
      { left: at.x, top: at.y, width: at.width, height: at.height })) {
      style[property] = `${value / this.density}px`;
    }
  },

  /** Takes the size of an element from what a ResizeObserver says. */
  measure({ contentRect, devicePixelContentBoxSize }) {
    const exact = devicePixelContentBoxSize?.[0];
    this.density = devicePixelRatio;
    const side = (css, device) => {
      const reckoned = css * this.density;
      // The exact size, unless the window only pretends to have these pixels.
      const isReal = device !== undefined && Math.abs(device - reckoned) < 2;
      return Math.max(1, isReal ? device : Math.round(reckoned));
    };
    this.box = {
      width: side(contentRect.width, exact?.inlineSize),
      height: side(contentRect.height, exact?.blockSize),
    };
    this.hold();
  },
};

/** Another one, of a picture beside it. */
export const otherView = () => Object.assign(Object.create(view), {
  zoom: 'fit', center: { x: 0, y: 0 }, whole: { ...view.whole }, box: { ...view.box },
});
