// The arithmetic of the crop: which part of the picture is kept, and how it is seen.
//
// Units: pixels of the upright picture, x to the right, y down; degrees, clockwise. Three kinds of
// positions: those of the picture; those of the picture without its perspective ("level" pixels,
// in which the box is given); and those of the stage, which is the level picture turned by the
// angle about its center, where the box stands upright. The same arithmetic as in RawFilter's
// PictureFrame and Perspective, so that what is shown here is what is developed.

const radians = (degrees) => degrees * Math.PI / 180;

/** Maps of the plane, three rows of three. */
export const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function after(a, b) {
  const result = [];
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      result.push(a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]);
    }
  }
  return result;
}

export function mapped(map, x, y) {
  const w = map[6] * x + map[7] * y + map[8];
  return w <= 0 ? null : {
    x: (map[0] * x + map[1] * y + map[2]) / w, y: (map[3] * x + map[4] * y + map[5]) / w,
  };
}

export function inverse([a, b, c, d, e, f, g, h, i]) {
  const adjugate = [
    e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
  const determinant = a * adjugate[0] + b * adjugate[3] + c * adjugate[6];
  return adjugate.map((value) => value / determinant);
}

export const translation = (x, y) => [1, 0, x, 0, 1, y, 0, 0, 1];
export const scaling = (x, y = x) => [x, 0, 0, 0, y, 0, 0, 0, 1];

/** What turns the picture clockwise. */
export function rotation(degrees) {
  const [c, s] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

/** From level positions to those of the picture, for a normal lens (see Perspective.swift). */
export function perspective(vertical, horizontal, width, height) {
  if (!vertical && !horizontal) return identity;
  const focal = Math.hypot(width, height);
  const [up, right] = [radians(vertical), radians(horizontal)];
  const [cu, su, cr, sr] = [Math.cos(up), Math.sin(up), Math.cos(right), Math.sin(right)];
  const view = after([1, 0, 0, 0, cu, su, 0, -su, cu], [cr, 0, -sr, 0, 1, 0, sr, 0, cr]);
  const ahead = view.slice(6);
  const unit = 1 / (focal * ahead[2] ** 1.5);
  const plane = [unit, 0, ahead[0] / ahead[2], 0, unit, ahead[1] / ahead[2], 0, 0, 1];
  const centered = after(after([focal, 0, 0, 0, focal, 0, 0, 0, 1], view), plane);
  return after(translation(width / 2, height / 2),
    after(centered, translation(-width / 2, -height / 2)));
}

/** A picture with its angle and perspective, under which a box lies. */
export class Frame {
  constructor(width, height, { angle = 0, vertical = 0, horizontal = 0 } = {}) {
    Object.assign(this, { width, height, angle, vertical, horizontal });
    this.seen = perspective(vertical, horizontal, width, height);
    this.turned = after(translation(width / 2, height / 2),
      after(rotation(angle), translation(-width / 2, -height / 2)));
    this.turnedBack = after(translation(width / 2, height / 2),
      after(rotation(-angle), translation(-width / 2, -height / 2)));
  }

  /** From positions of the picture to those of the stage. */
  get toStage() { return after(this.turned, inverse(this.seen)); }

  /** The box {x, y, width, height} as it stands on the stage. */
  onStage(box) {
    const center = mapped(this.turned, box.x + box.width / 2, box.y + box.height / 2);
    return { ...box, x: center.x - box.width / 2, y: center.y - box.height / 2 };
  }

  /** The box that stands so on the stage. */
  fromStage(box) {
    const center = mapped(this.turnedBack, box.x + box.width / 2, box.y + box.height / 2);
    return { ...box, x: center.x - box.width / 2, y: center.y - box.height / 2 };
  }

  /**
   * Whether the box has no empty corner, and, unless it is the `isLargest` that is kept without a
   * crop, can be kept as edges of the picture.
   */
  isFilled(box, { isLargest = false } = {}) {
    const slack = 1e-6 * (this.width + this.height);
    const isIn = (x, y) => x >= -slack && y >= -slack && x <= this.width + slack
      && y <= this.height + slack;
    if (!isLargest && !(isIn(box.x, box.y) && isIn(box.x + box.width, box.y + box.height))) {
      return false;
    }
    return this.corners(box).every((corner) => corner && isIn(corner.x, corner.y));
  }

  /** Where the corners of the box are in the picture. */
  corners(box) {
    const { x, y, width, height } = this.onStage(box);
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]].map(([u, v]) => {
      const level = mapped(this.turnedBack, u, v);
      return level && mapped(this.seen, level.x, level.y);
    });
  }

  /** The largest box of this ratio of width to height that the picture fills. */
  largest(aspect = this.width / this.height) {
    const about = (x, y, rows) =>
      ({ x: x - rows * aspect, y: y - rows, width: 2 * rows * aspect, height: 2 * rows });
    const rows = (x, y) => {
      let [least, most] = [0, this.width + this.height];
      while (most - least > 0.01) {
        const middle = (least + most) / 2;
        const isFilled = this.isFilled(about(x, y, middle), { isLargest: true });
        if (isFilled) least = middle; else most = middle;
      }
      return least;
    };
    let best = { x: this.width / 2, y: this.height / 2 };
    best.rows = rows(best.x, best.y);
    const isMoved = this.vertical || this.horizontal;
    for (let step = isMoved ? Math.min(this.width, this.height) / 4 : 0; step > 0.5;) {
      const next = [[step, 0], [-step, 0], [0, step], [0, -step]]
        .map(([x, y]) => ({ x: best.x + x, y: best.y + y }))
        .map((at) => ({ ...at, rows: rows(at.x, at.y) }))
        .reduce((a, b) => b.rows > a.rows ? b : a);
      if (next.rows > best.rows + 0.01) best = next; else step /= 2;
    }
    return about(best.x, best.y, Math.max(best.rows, 0.5));
  }

  /** The box made smaller about its center until the picture fills it. */
  shrunk(box) {
    if (this.isFilled(box)) return box;
    const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const scaled = (scale) => ({
      x: center.x - scale * box.width / 2, y: center.y - scale * box.height / 2,
      width: scale * box.width, height: scale * box.height,
    });
    const scale = furthest((t) => this.isFilled(scaled(t)));
    return scale > 0.02 ? scaled(scale) : this.largest(box.width / box.height);
  }

  /** The furthest that `box`, which is filled, gets on its way to `aim`, both on the stage. */
  towards(box, aim) {
    const between = (t) => {
      const mix = (key) => box[key] + t * (aim[key] - box[key]);
      return { x: mix('x'), y: mix('y'), width: mix('width'), height: mix('height') };
    };
    return between(furthest((t) => this.isFilled(this.fromStage(between(t)))));
  }
}

/** The largest of 0…1 for which it holds; it holds at 0. */
function furthest(holds) {
  if (holds(1)) return 1;
  let [least, most] = [0, 1];
  for (let step = 0; step < 24; step++) {
    const middle = (least + most) / 2;
    if (holds(middle)) least = middle; else most = middle;
  }
  return least;
}

/** The ratio that a text as `3:2` or `1.5` names; null for others. */
export function aspect(text) {
  const parts = String(text ?? '').split(':').map(Number);
  if (parts.length > 2 || !parts.every((part) => part > 0 && Number.isFinite(part))) return null;
  return parts.length === 2 ? parts[0] / parts[1] : parts[0];
}

/** The largest part of a box with a ratio of width to height, about its center. */
export function withAspect(box, ratio) {
  const width = Math.min(box.width, box.height * ratio);
  const height = width / ratio;
  return about(box, width, height);
}

/** A box of this size with the center of another. */
function about(box, width, height) {
  return {
    x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height,
  };
}

/** The box of this ratio with the same center and area. */
export function sameArea(box, ratio) {
  const height = Math.sqrt(box.width * box.height / ratio);
  return about(box, height * ratio, height);
}

/** The box that a value of the property `crop` names; null where it names none. */
export function boxOf(text, width, height) {
  const parts = String(text ?? '').split(',').map((part) => part.trim());
  if (parts.length !== 4) return null;
  const sides = [width, height, width, height];
  const [x, y, w, h] = parts.map((part, n) =>
    part.endsWith('%') ? Number(part.slice(0, -1)) / 100 * sides[n] : Number(part));
  return [x, y, w, h].every(Number.isFinite) && w > 0 && h > 0
    ? { x, y, width: w, height: h } : null;
}

/** A box as a value of the property `crop`, in percent, so that it holds at any size. */
export function cropOf(box, width, height) {
  const unit = 1e6;
  const part = (start, length, side) => {
    const from = Math.min(Math.max(Math.round(start / side * unit), 0), unit - 1);
    return [from, Math.min(Math.max(Math.round(length / side * unit), 1), unit - from)];
  };
  const [x, w] = part(box.x, box.width, width);
  const [y, h] = part(box.y, box.height, height);
  return [x, y, w, h].map((value) => `${value / 1e4}%`).join(',');
}

/** The settings of the frame of a picture that is turned by 90° clockwise, `turns` times. */
export function turnedRight(settings, turns) {
  let { orientation, box, vertical, horizontal, aspect: ratio, width, height } = settings;
  for (let n = 0; n < (turns + 4) % 4; n++) {
    orientation = { 1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2 }[orientation];
    if (box) {
      box = { x: height - box.y - box.height, y: box.x, width: box.height, height: box.width };
    }
    [vertical, horizontal] = [0 - horizontal, vertical];
    ratio = swapped(ratio);
    [width, height] = [height, width];
  }
  return { ...settings, orientation, box, vertical, horizontal, aspect: ratio, width, height };
}

/** The same mirrored, left to right. */
export function mirrored(settings) {
  const { box, width } = settings;
  return {
    ...settings,
    orientation: { 1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7 }[settings.orientation],
    box: box && { ...box, x: width - box.x - box.width },
    angle: 0 - settings.angle, horizontal: 0 - settings.horizontal,
  };
}

/** A ratio as text the other way round: 3:2 becomes 2:3. */
export function swapped(text) {
  const ratio = aspect(text);
  if (!ratio) return text;
  const parts = String(text).split(':');
  return parts.length === 2 ? `${parts[1]}:${parts[0]}` : String(Number((1 / ratio).toFixed(5)));
}
