// Before and after: all of the picture by a key, or side by side along a divider.
import { element } from './element.js';
import { icon } from './icons.js';
import { endMode, mode } from './modes.js';
import { on, store } from './store.js';
import { button, option } from './toolparts.js';

/** What frames the picture is the same on both sides, so that they lie upon each other. */
const frame = [
  'crop', 'cropAspect', 'straightenAngle', 'verticalPerspective', 'horizontalPerspective',
  'orientation', 'scaleFactor',
];

const kinds = { opened: 'as opened', inherited: 'without own settings' };

/** Buttons for `toolbar`; returns `{toggleBefore, toggleDivider}`. */
export function startCompare(toolbar, viewer, announce) {
  /** The values that pictures had when they were first opened here. */
  const opened = new Map();
  let kind = 'opened';
  let way = null;
  let at = 0.5;

  const divider = element('div', {
    class: 'compare-divider', tabindex: 0, role: 'slider', hidden: true,
    'aria-label': 'Divider between before and after', 'aria-valuemin': 0, 'aria-valuemax': 100,
  }, element('span', { class: 'compare-grip' }, icon('divider')));
  const choice = element('select', {
    class: 'compare-choice', 'aria-label': 'Picture to compare with',
    onchange: () => {
      kind = choice.value;
      apply();
    },
  }, ...Object.entries(kinds).map(([value, text]) => option(value, `Before: ${text}`)));
  const after = element('span', { class: 'picture-label compare-after' }, 'After');
  const labels = element('div', { class: 'compare-labels', hidden: true }, choice, after);
  viewer.overlay.append(divider, labels);
  for (const each of [divider, labels]) {
    for (const name of ['pointerdown', 'dblclick']) {
      each.addEventListener(name, (event) => event.stopPropagation());
    }
  }

  function own() {
    const { picture } = store;
    const base = kind === 'opened' ? opened.get(picture.id) ?? {} : {};
    const values = { ...base };
    for (const name of frame) {
      if (picture.own[name] === undefined) delete values[name];
      else values[name] = picture.own[name];
    }
    return values;
  }

  function apply() {
    const isOn = way !== null && Boolean(store.picture);
    viewer.requestOptions.compare = isOn
      ? { own: own(), at: way === 'before' ? 1 : at } : null;
    show();
    viewer.refresh();
  }

  function show() {
    const isOn = way !== null && Boolean(store.picture);
    before.setAttribute('aria-pressed', String(way === 'before'));
    divided.setAttribute('aria-pressed', String(way === 'divider'));
    labels.hidden = !isOn;
    divider.hidden = !isOn || way !== 'divider';
    after.hidden = way !== 'divider';
    divider.style.left = `${at * 100}%`;
    divider.ariaValueNow = Math.round(at * 100);
    divider.ariaValueText = `${Math.round(at * 100)} % before`;
  }

  function move(to) {
    at = Math.min(Math.max(to, 0), 1);
    viewer.moveDivider(at);
    show();
  }

  divider.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    divider.focus({ preventScroll: true });
    divider.setPointerCapture(event.pointerId);
  });
  divider.addEventListener('pointermove', (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const box = viewer.element.getBoundingClientRect();
    move((event.clientX - box.left) / box.width);
  });
  divider.addEventListener('keydown', (event) => {
    const step = (event.shiftKey ? 0.1 : 0.01)
      * ({ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key] ?? 0);
    const end = { Home: 0, End: 1 }[event.key];
    if (!step && end === undefined) return;
    move(end ?? at + step);
    event.preventDefault();
    event.stopPropagation();
  });

  function set(to) {
    if (mode() === 'crop') return;
    endMode();
    way = way === to ? null : to;
    apply();
    announce(way === null ? 'After.' : way === 'before'
      ? `Before: ${kinds[kind]}.` : 'Before is left of the divider, after right of it.', 'quiet');
  }

  const before = button('Before', 'Show the picture before the changes', () => set('before'),
    { pressed: false, key: '\\', icon: icon('before') });
  const divided = button('Divide', 'Before and after along a divider', () => set('divider'),
    { pressed: false, key: 'y', icon: icon('divider') });
  toolbar.append(element('div', { class: 'tool-group', role: 'group', 'aria-label': 'Compare' },
    before, divided));

  on('picture', () => {
    const { picture } = store;
    if (picture && !opened.has(picture.id)) opened.set(picture.id, { ...picture.own });
    if (way === 'before') way = null;
    if (picture || !way) apply();
  });
  on('values', ({ names }) => {
    if (!way || !names.some((name) => frame.includes(name))) return;
    viewer.requestOptions.compare.own = own();
    viewer.refresh();
  });
  return { toggleBefore: () => set('before'), toggleDivider: () => set('divider') };
}
