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

  get isFit() { return view.zoom === 'fit'; },

  get fitScale() {
    const space = 2 * Math.min(margin.most * view.density, margin.part * view.box.width);
    return Math.max(1e-3, Math.min((view.box.width - space) / view.whole.width,
      (view.box.height - space) / view.whole.height));
  },

  /** Device pixels for each pixel of the picture. */
  get scale() { return view.isFit ? view.fitScale : view.zoom; },

  /** The left upper corner of the picture, on the grid of device pixels. */
  get origin() {
    const { scale, box, whole } = view;
    const center = view.isFit ? { x: whole.width / 2, y: whole.height / 2 } : view.center;
    return {
      x: Math.round(box.width / 2 - center.x * scale),
      y: Math.round(box.height / 2 - center.y * scale),
    };
  },

  /** Where a part of the picture is shown, whole device pixels. */
  place([x, y, width, height]) {
    const { origin, scale } = view;
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
    if (view.isFit) return null;
    const { origin, scale, box, whole } = view;
    const x = Math.max(0, Math.floor(-origin.x / scale));
    const y = Math.max(0, Math.floor(-origin.y / scale));
    const right = Math.min(whole.width, Math.ceil((box.width - origin.x) / scale));
    const bottom = Math.min(whole.height, Math.ceil((box.height - origin.y) / scale));
    const isWhole = x === 0 && y === 0 && right === whole.width && bottom === whole.height;
    return isWhole ? null : [x, y, Math.max(1, right - x), Math.max(1, bottom - y)];
  },

  /** The size at which `part` is asked for: as many pixels as are shown, at most all it has. */
  fit(part) {
    const [width, height] = part ? part.slice(2) : [view.whole.width, view.whole.height];
    const scale = Math.min(1, view.scale);
    return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  },

  /** Zooms so that what is at (`x`, `y`) of the viewer stays there. */
  zoomAt(zoom, x = view.box.width / 2, y = view.box.height / 2) {
    const { origin, scale } = view;
    const at = { x: (x - origin.x) / scale, y: (y - origin.y) / scale };
    if (zoom === 'fit') {
      view.zoom = 'fit';
      return;
    }
    view.zoom = Math.min(largest, Math.max(Math.min(view.fitScale, 1), zoom));
    view.center = {
      x: at.x - (x - view.box.width / 2) / view.zoom,
      y: at.y - (y - view.box.height / 2) / view.zoom,
    };
    view.hold();
  },

  /** Moves the picture by device pixels. */
  pan(x, y) {
    if (view.isFit) return;
    view.center = { x: view.center.x - x / view.zoom, y: view.center.y - y / view.zoom };
    view.hold();
  },

  /** Keeps the picture in the viewer: in its middle where it is smaller. */
  hold() {
    for (const [axis, side] of [['x', 'width'], ['y', 'height']]) {
      const half = view.box[side] / 2 / view.scale;
      const length = view.whole[side];
      view.center[axis] = length <= 2 * half
        ? length / 2 : Math.min(length - half, Math.max(half, view.center[axis]));
    }
  },
};
