// Crop, straighten, turn and mirror: the tool, and its bar below the picture.
import { element } from './element.js';
import { CropStage } from './cropstage.js';
import {
  Frame, aspect, boxOf, cropOf, mirrored, sameArea, swapped, turnedRight, withAspect,
} from './cropbox.js';
import { icon } from './icons.js';
import { latest } from './latest.js';
import { begin, endMode, mode } from './modes.js';
import { api } from './protocol.js';
import { isEqual, on, store } from './store.js';
import { button, field, option, signed } from './toolparts.js';

const ratios = ['1:1', '3:2', '4:3', '5:4', '16:9', '21:9'];
const names = [
  'crop', 'cropAspect', 'straightenAngle', 'verticalPerspective', 'horizontalPerspective',
  'orientation',
];

/**
 * How the open picture is framed: its size, `orientation`, `angle`, `vertical` and `horizontal`
 * perspective, the ratio as text (null for that of the box), and the box, null for the largest.
 */
function framing() {
  const { state } = store.picture;
  const number = (name) => Number(store.value(name)) || 0;
  const orientation = number('orientation') || 1;
  if (!store.isOwn('orientation')) store.picture.orientation = orientation;
  // The state follows a moment behind the values.
  const known = state.adjustments.find(({ name }) => name === 'orientation')?.value ?? orientation;
  const [width, height] = (known > 4) === (orientation > 4)
    ? [state.uncroppedWidth, state.uncroppedHeight]
    : [state.uncroppedHeight, state.uncroppedWidth];
  const ratio = store.value('cropAspect');
  return {
    width, height, angle: number('straightenAngle'), vertical: number('verticalPerspective'),
    horizontal: number('horizontalPerspective'), orientation,
    aspect: aspect(ratio) ? String(ratio) : null, box: boxOf(store.value('crop'), width, height),
  };
}

/** The values that frame the picture so; what is as without the sidecar is left to it. */
function values({ width, height, angle, vertical, horizontal, orientation, aspect: ratio, box }) {
  const inherited = (name) => store.inherited(name)?.value;
  const isInherited = (name) => {
    const value = inherited(name);
    return value !== undefined && value !== null && value !== 'none';
  };
  const number = (name, value, digits) => {
    const rounded = Number(value.toFixed(digits)) + 0;
    return rounded === Number(inherited(name) ?? 0) ? undefined : rounded;
  };
  const isWhole = !box;
  return {
    crop: box ? cropOf(box, width, height) : isInherited('crop') ? '0%,0%,100%,100%' : undefined,
    cropAspect: ratio ?? (isInherited('cropAspect')
      ? isWhole ? `${width}:${height}` : `${Math.round(box.width)}:${Math.round(box.height)}`
      : undefined),
    straightenAngle: number('straightenAngle', angle, 2),
    verticalPerspective: number('verticalPerspective', vertical, 2),
    horizontalPerspective: number('horizontalPerspective', horizontal, 2),
    orientation: orientation === store.picture.orientation ? undefined : orientation,
  };
}

/** Sets only what changed, as one step. */
function keep(frame, step) {
  const before = framing();
  const [now, then] = [values(frame), values(before)];
  const changes = Object.fromEntries(
    names.filter((name) => !isEqual(now[name], then[name])).map((name) => [name, now[name]]));
  if (Object.keys(changes).length) store.set(changes, { step });
}

/** Turns the open picture by 90°, clockwise `turns` times, or mirrors it, and its frame with it. */
export function turn(turns) {
  if (mode() === 'crop') current?.turn(turns);
  else if (turns === 'mirror') keep(mirrored(framing()), 'Mirrored');
  else if (store.picture?.state) {
    keep(turnedRight(framing(), turns), turns > 0 ? 'Turned right' : 'Turned left');
  }
}

let current = null;

/** Begins to crop, or takes the crop where it was begun. */
export function toggleCrop(viewer, announce) {
  if (mode() === 'crop') current.accept();
  else if (store.picture?.state) current = new CropTool(viewer, announce);
}

class CropTool {
  constructor(viewer, announce) {
    Object.assign(this, { viewer, announce, frame: framing(), ratio: null });
    const { width, height, aspect: ratio, box } = this.frame;
    if (ratio) {
      this.choice = ratios.includes(ratio) || ratios.includes(swapped(ratio)) ? ratio : 'custom';
      this.ratio = aspect(ratio);
    } else {
      const isOriginal = !box || Math.abs(box.width / box.height / (width / height) - 1) < 2e-3;
      this.choice = isOriginal ? 'original' : 'free';
      this.ratio = isOriginal ? width / height : null;
    }
    if (ratio && box) this.frame.box = withAspect(box, this.ratio);
    this.first = values(this.frame);
    /** The box before the angle was touched: turning back gives it back. */
    this.chosen = this.frame.box;
    this.stage = new CropStage({
      onBox: (each) => { this.frame.box = this.chosen = each; this.show(); },
      onAngle: (angle) => this.setAngle(angle),
      onEnd: () => { this.setDrawingLine(false); this.say(); },
    });
    this.makeBar();
    this.element = element('div', { class: 'crop-tool', role: 'region', 'aria-label': 'Crop' },
      this.stage.element, this.bar);
    this.element.addEventListener('keydown', (event) => this.key(event));
    // What moves and zooms the picture must not see what is done here.
    for (const name of ['pointerdown', 'dblclick', 'wheel']) {
      this.element.addEventListener(name, (event) => event.stopPropagation());
    }
    this.stage.element.addEventListener('dblclick', () => this.accept());
    document.getElementById('view-overlay').append(this.element);
    this.load = latest(() => this.render(), 0, (error) => announce(error.message, 'error'));
    this.listening = [
      on('values', () => { if (!this.isKeeping) this.changed(); }),
      // What was set by eye is not lost by looking at another picture.
      on('leave', () => this.accept()),
    ];
    begin('crop', () => this.remove());
    this.show();
    this.load();
    this.stage.box.focus({ preventScroll: true });
  }

  remove() {
    this.listening.forEach((end) => end());
    this.stage.remove();
    this.element.remove();
    current = null;
    document.getElementById('viewer').focus({ preventScroll: true });
  }

  /** Asks for the picture without crop, angle and perspective, upright as it is turned now. */
  async render() {
    const { picture } = store;
    const density = devicePixelRatio || 1;
    const fit = [this.stage.element.clientWidth, this.stage.element.clientHeight]
      .map((side) => Math.max(64, Math.round(side * density)));
    const own = { ...picture.own, orientation: this.frame.orientation };
    const { orientation } = this.frame;
    const { size, bytes } = await api.render(picture.id, {
      own, part: null, fit, form: 'rgba8', isHDR: false, stopsDown: 0, isWideGamut: false,
      overlays: [], isUncropped: true, viewer: 'crop',
    });
    if (orientation !== this.frame.orientation || !current) return;
    this.stage.setPicture(new ImageData(bytes, size[0], size[1]));
    this.element.classList.add('is-ready');
  }

  /** Settings were changed elsewhere while the tool is open: what is set here stays if it may. */
  changed() {
    if (!store.picture?.state) return;
    if (!isEqual(values(framing()), this.first)) {
      this.frame = framing();
      this.chosen = this.frame.box;
      this.first = values(this.frame);
    }
    this.show();
    this.load();
  }

  get geometry() { return new Frame(this.frame.width, this.frame.height, this.frame); }

  /** The box as it is now, the largest where none was chosen. */
  get box() {
    const { geometry } = this;
    if (!this.frame.box) return geometry.largest(this.ratio ?? undefined);
    return geometry.shrunk(this.frame.box);
  }

  show() {
    const { box } = this;
    this.stage.show(this.geometry, box, this.ratio);
    const angle = this.frame.angle;
    this.angle.value = angle;
    this.angle.setAttribute('aria-valuetext', `${signed(angle, 2)} degrees`);
    if (document.activeElement !== this.number) this.number.value = angle.toFixed(2);
    this.size.textContent = `${Math.round(box.width)} × ${Math.round(box.height)}`;
    this.aspects.value = this.choice;
    this.stage.box.setAttribute('aria-label', `Crop ${this.size.textContent} pixels at `
      + `${Math.round(box.x)}, ${Math.round(box.y)}. `
      + 'Arrow keys move it, with Shift they resize it.');
  }

  say() {
    const { x, y } = this.box;
    this.announce(`${this.size.textContent} pixels at ${Math.round(x)}, ${Math.round(y)}, `
      + `${signed(this.frame.angle, 1)} degrees.`, 'quiet');
  }

  setAngle(angle) {
    if (!Number.isFinite(angle)) return;
    this.frame.angle = Math.round(Math.min(Math.max(angle, -45), 45) * 100) / 100;
    if (this.chosen) this.frame.box = this.geometry.shrunk(this.chosen);
    this.show();
  }

  setAspect(choice) {
    const { width, height } = this.frame;
    const { box } = this;
    this.choice = choice;
    if (choice === 'free') {
      [this.ratio, this.frame.aspect] = [null, null];
      this.frame.box = box;
    } else {
      const text = choice === 'original' ? `${width}:${height}` : choice;
      this.ratio = aspect(text);
      this.frame.aspect = choice === 'original' ? null : choice;
      // A box as large as before, not one ever smaller by trying one ratio after another.
      if (this.frame.box) this.frame.box = this.geometry.shrunk(sameArea(box, this.ratio));
    }
    this.chosen = this.frame.box;
    this.show();
    this.say();
  }

  /** Changes landscape and portrait. */
  swap() {
    const { width, height } = this.frame;
    if (this.choice === 'free') {
      const { box } = this;
      this.frame.box = this.chosen = this.geometry.shrunk({
        x: box.x + (box.width - box.height) / 2, y: box.y + (box.height - box.width) / 2,
        width: box.height, height: box.width,
      });
      this.show();
      return;
    }
    const other = swapped(this.choice === 'original' ? `${width}:${height}` : this.frame.aspect);
    const text = aspect(other) === width / height ? 'original' : other;
    if (!['original', 'custom', ...this.known].includes(text)) {
      this.aspects.append(option(text));
      this.known.push(text);
    }
    this.setAspect(text);
  }

  turn(turns) {
    const isMirror = turns === 'mirror';
    const chosen = { ...this.frame, box: this.chosen };
    const change = (each) => isMirror ? mirrored(each) : turnedRight(each, turns);
    this.frame = change(this.frame);
    this.chosen = change(chosen).box;
    if (this.choice === 'original') this.ratio = this.frame.width / this.frame.height;
    else if (!isMirror && this.ratio) {
      this.ratio = 1 / this.ratio;
      this.addChoice(this.frame.aspect);
    }
    this.element.classList.remove('is-ready');
    this.show();
    this.load();
  }

  addChoice(text) {
    if (this.choice === 'custom' || !text) return;
    if (!this.known.includes(text)) {
      this.aspects.append(option(text));
      this.known.push(text);
    }
    this.choice = this.aspects.value = text;
  }

  reset() {
    const { frame } = this;
    this.frame = { ...frame, angle: 0, box: null, aspect: null };
    [this.chosen, this.choice, this.ratio] = [null, 'original', frame.width / frame.height];
    this.show();
    this.say();
  }

  accept() {
    const frame = { ...this.frame };
    if (frame.box) {
      const { box } = this;
      // What covers everything is no crop.
      const isWhole = frame.angle === 0 && box.width > frame.width - 0.5
        && box.height > frame.height - 0.5;
      frame.box = isWhole ? null : box;
    }
    this.isKeeping = true;
    keep(frame, 'Crop');
    endMode();
    this.announce('The crop is set.', 'quiet');
  }

  setDrawingLine(isOn) {
    this.stage.isDrawingLine = isOn;
    this.lineButton.setAttribute('aria-pressed', String(isOn));
    this.stage.element.classList.toggle('is-drawing', isOn);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    const isField = event.target.matches('input, select');
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === 'Escape') {
      endMode();
      this.announce('The crop is as it was.', 'quiet');
    } else if (event.key === 'Enter' && !event.target.matches('button, select')) {
      this.accept();
    } else if (step[event.key] && !isField) {
      this.nudge(...step[event.key], event);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the box, or with Shift its right and lower edge, by ½ %; with Alt by a pixel. */
  nudge(x, y, { shiftKey, altKey }) {
    const size = altKey ? 1 : Math.max(this.frame.width, this.frame.height) / 200;
    const first = this.stage.start;
    if (shiftKey) {
      const edge = this.ratio ? (x ? 'e' : 's') : x ? 'e' : 's';
      this.stage.pull(first, edge, x * size, y * size);
    } else {
      this.stage.shift(first, x * size, y * size);
    }
    this.say();
  }

  makeBar() {
    this.known = ['original', 'free', ...ratios];
    this.aspects = element('select', {
      'aria-label': 'Aspect ratio', onchange: () => this.setAspect(this.aspects.value),
    }, option('original', 'Original'), option('free', 'Free'),
    ...ratios.map((text) => option(text)));
    for (const text of [this.frame.aspect].filter((each) => each && !ratios.includes(each))) {
      this.aspects.append(option(this.choice === 'custom' ? 'custom' : text, text));
      this.known.push(text);
    }
    this.angle = element('input', {
      type: 'range', min: -45, max: 45, step: 0.1, 'aria-label': 'Angle',
      oninput: () => this.setAngle(Number(this.angle.value)),
      ondblclick: () => this.setAngle(0),
    });
    this.number = element('input', {
      type: 'number', min: -45, max: 45, step: 0.1, 'aria-label': 'Angle in degrees',
      onchange: () => this.setAngle(Number(this.number.value)),
    });
    this.size = element('output', { class: 'crop-size' });
    this.lineButton = button('Line', 'Draw a line that is to be level or upright',
      () => this.setDrawingLine(!this.stage.isDrawingLine),
      { pressed: false, icon: icon('line'), class: 'is-main' });
    const group = (label, ...parts) =>
      element('div', { class: 'crop-group', role: 'group', 'aria-label': label }, ...parts);
    const sign = (name, label, action, key) =>
      button(icon(name), label, action, { key, class: 'icon' });
    this.bar = element('div', {
      class: 'crop-bar',
      // After a click the keys are those of the box again.
      onclick: (event) => {
        if (event.detail && event.target.closest('button')) {
          this.stage.box.focus({ preventScroll: true });
        }
      },
    },
      group('Aspect ratio', field('Aspect', this.aspects),
        sign('swap', 'Swap width and height', () => this.swap(), 'x')),
      group('Straighten', field('Angle', this.angle), this.number, this.lineButton),
      group('Turn',
        sign('left', 'Turn left by 90°', () => this.turn(-1), '['),
        sign('right', 'Turn right by 90°', () => this.turn(1), ']'),
        sign('mirror', 'Mirror', () => this.turn('mirror'))),
      this.size,
      group('Crop', button('Reset', 'Reset crop and angle', () => this.reset()),
        button('Cancel', 'Cancel', () => endMode(), { key: 'Escape' }),
        button('Done', 'Done', () => this.accept(), { key: 'Enter', class: 'primary' })));
  }
}

/** Changes landscape and portrait of the crop, where one is being set. */
export function swapCrop() { current?.swap(); }
