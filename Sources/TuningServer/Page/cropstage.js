// What is seen and touched while a picture is cropped: the picture, turned under a box that stands
// upright, with its handles and thirds. Knows nothing of settings: tells what the hand does.
import { after, mapped, scaling, translation } from './cropbox.js';

const edges = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
const margin = 36;

export class CropStage {
  /**
   * `onBox(box)`: the box was moved; `onAngle(angle)`: the picture was turned; `onEnd()`: the hand
   * let go.
   */
  constructor({ onBox, onAngle, onEnd }) {
    Object.assign(this, { onBox, onAngle, onEnd, isDrawingLine: false, ratio: null });
    this.element = make('div', 'crop-stage');
    this.canvas = make('canvas', 'crop-picture');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.box = make('div', 'crop-box');
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'group');
    this.box.setAttribute('aria-roledescription', 'crop rectangle');
    for (const name of ['crop-third-v', 'crop-third-h']) this.box.append(make('i', name));
    for (const edge of edges) {
      const handle = make('b', `crop-handle crop-${edge}`);
      handle.dataset.edge = edge;
      this.box.append(handle);
    }
    this.line = make('div', 'crop-line');
    this.line.hidden = true;
    this.element.append(this.canvas, this.box, this.line);
    this.element.addEventListener('pointerdown', (event) => this.grab(event));
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.element);
  }

  remove() {
    this.sizes.disconnect();
    this.element.remove();
  }

  /** Takes the pixels, ImageData of the picture without crop, angle and perspective. */
  setPicture(pixels) {
    [this.canvas.width, this.canvas.height] = [pixels.width, pixels.height];
    this.canvas.getContext('2d').putImageData(pixels, 0, 0);
    this.draw();
  }

  /** Shows the picture as `frame` has it, and the box, in level pixels. */
  show(frame, box, ratio) {
    Object.assign(this, { frame, level: box, ratio });
    this.draw();
  }

  draw() {
    const { frame, level } = this;
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
    if (!frame || !width || !height) return;
    const extent = extentOf(frame);
    this.scale = Math.min((width - 2 * margin) / extent.width,
      (height - 2 * margin) / extent.height);
    this.origin = {
      x: width / 2 - this.scale * (extent.x + extent.width / 2),
      y: height / 2 - this.scale * (extent.y + extent.height / 2),
    };
    const toScreen = after(translation(this.origin.x, this.origin.y), scaling(this.scale));
    const pixels = scaling(frame.width / this.canvas.width, frame.height / this.canvas.height);
    const [a, b, c, d, e, f, g, h, i] = after(toScreen, after(frame.toStage, pixels));
    this.canvas.style.transform = `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i]})`;
    const box = frame.onStage(level);
    const place = this.box.style;
    place.left = `${this.origin.x + this.scale * box.x}px`;
    place.top = `${this.origin.y + this.scale * box.y}px`;
    place.width = `${this.scale * box.width}px`;
    place.height = `${this.scale * box.height}px`;
  }

  /** The box on the stage from which the hand moves it. */
  get start() { return this.frame.onStage(this.frame.shrunk(this.level)); }

  /** The position of a pointer on the stage, in pixels of the picture. */
  at(event) {
    const rect = this.element.getBoundingClientRect();
    return {
      x: (event.clientX - rect.left - this.origin.x) / this.scale,
      y: (event.clientY - rect.top - this.origin.y) / this.scale,
    };
  }

  grab(event) {
    if (event.button !== 0 || !this.frame || this.hand !== undefined) return;
    event.preventDefault();
    this.hand = event.pointerId;
    this.element.setPointerCapture(event.pointerId);
    const start = this.at(event);
    const first = this.start;
    const { angle } = this.frame;
    const edge = event.target.dataset?.edge;
    let move;
    if (this.isDrawingLine) {
      move = (at) => this.drawLine(start, at);
    } else if (edge) {
      move = (at) => this.pull(first, edge, at.x - start.x, at.y - start.y);
    } else if (this.box.contains(event.target)) {
      this.box.focus({ preventScroll: true });
      move = (at) => this.shift(first, at.x - start.x, at.y - start.y);
    } else {
      const center = { x: first.x + first.width / 2, y: first.y + first.height / 2 };
      const toward = (at) => Math.atan2(at.y - center.y, at.x - center.x) * 180 / Math.PI;
      const from = toward(start);
      move = (at) => this.onAngle(angle + nearest(toward(at) - from, 360));
    }
    const moved = (each) => { if (each.pointerId === this.hand) move(this.at(each)); };
    const ended = (each) => {
      if (each.pointerId !== this.hand) return;
      this.hand = undefined;
      for (const name of ['pointermove', 'pointerup', 'pointercancel']) {
        this.element.removeEventListener(name, name === 'pointermove' ? moved : ended);
      }
      const at = this.at(each);
      if (this.isDrawingLine && each.type === 'pointerup') this.straighten(start, at);
      this.line.hidden = true;
      this.onEnd();
    };
    this.element.addEventListener('pointermove', moved);
    this.element.addEventListener('pointerup', ended);
    this.element.addEventListener('pointercancel', ended);
  }

  drawLine(from, to) {
    this.line.hidden = false;
    const place = this.line.style;
    place.left = `${this.origin.x + this.scale * from.x}px`;
    place.top = `${this.origin.y + this.scale * from.y}px`;
    place.width = `${this.scale * Math.hypot(to.x - from.x, to.y - from.y)}px`;
    place.transform = `rotate(${Math.atan2(to.y - from.y, to.x - from.x)}rad)`;
  }

  /** Turns the picture so that a line on it becomes level or upright, whichever is nearer. */
  straighten(from, to) {
    if (this.scale * Math.hypot(to.x - from.x, to.y - from.y) < 8) return;
    const slope = Math.atan2(to.y - from.y, to.x - from.x) * 180 / Math.PI;
    this.onAngle(this.frame.angle - nearest(slope, 90));
  }

  /** Moves the box, along the edges of the picture where it meets them. */
  shift(first, x, y) {
    const across = this.frame.towards(first, { ...first, x: first.x + x });
    this.onBox(this.frame.fromStage(this.frame.towards(across, { ...across, y: first.y + y })));
  }

  /** Moves an edge or a corner of the box; with a ratio, the box keeps it. */
  pull(first, edge, x, y) {
    const [left, right] = [edge.includes('w'), edge.includes('e')];
    const [top, bottom] = [edge.includes('n'), edge.includes('s')];
    const least = 0.02 * Math.min(this.frame.width, this.frame.height);
    let width = Math.max(first.width + (right ? x : left ? -x : 0), least);
    let height = Math.max(first.height + (bottom ? y : top ? -y : 0), least);
    const placed = (w, h) => ({
      x: left ? first.x + first.width - w : right ? first.x : first.x + (first.width - w) / 2,
      y: top ? first.y + first.height - h : bottom ? first.y : first.y + (first.height - h) / 2,
      width: w, height: h,
    });
    let box;
    if (this.ratio) {
      if ((left || right) && (top || bottom)) width = Math.max(width, height * this.ratio);
      else if (top || bottom) width = height * this.ratio;
      height = width / this.ratio;
      box = this.frame.towards(first, placed(width, height));
    } else {
      const across = this.frame.towards(first, placed(width, first.height));
      box = this.frame.towards(across, { ...across, y: placed(width, height).y, height });
    }
    this.onBox(this.frame.fromStage(box));
  }
}

/** The part of the stage that the picture takes; of a strong perspective its middle. */
function extentOf(frame) {
  const { width, height } = frame;
  const corners = [[0, 0], [width, 0], [width, height], [0, height]]
    .map(([x, y]) => mapped(frame.toStage, x, y)).filter(Boolean);
  const limit = (value, side) => Math.min(Math.max(value, -0.3 * side), 1.3 * side);
  const xs = [0.2 * width, 0.8 * width, ...corners.map(({ x }) => limit(x, width))];
  const ys = [0.2 * height, 0.8 * height, ...corners.map(({ y }) => limit(y, height))];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** What is left of an angle when the nearest multiple of `period` is taken away. */
const nearest = (angle, period) => angle - period * Math.round(angle / period);

function make(name, className) {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
