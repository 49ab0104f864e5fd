// Color grading: for each range of tones a wheel, whose angle is the hue and whose radius the
// saturation, above its controls.

import { element, iconButton } from './element.js';
import { store } from './store.js';
import { words } from './wording.js';

/** Wheels of the controls `members`, three for each. An item of a fold. */
export function wheels(members) {
  const cells = [0, 3, 6, 9].map((n) => wheel(members.slice(n, n + 3)));
  return {
    element: element('div', { class: 'wheels' }, cells.map((cell) => cell.element)),
    members,
    mark() { for (const cell of cells) cell.mark(); },
  };
}

function wheel(members) {
  const names = members.map(({ property }) => property.name);
  const [hue, saturation] = members.map(({ property }) => property);
  const title = hue.title.replace(/ hue$/, '');
  const dot = element('span', { class: 'wheel-dot' });
  const reset = iconButton('reset', `Reset ${title} grading`, () => store.set(
    Object.fromEntries(names.map((name) => [name, undefined])), { step: `Reset ${title} grading` }));
  const disc = element('div', {
    class: 'wheel', title: `${title}: hue and saturation`, ondblclick: () => reset.click(),
  }, dot);
  const isOff = () => !store.picture || Boolean(store.withoutEffect(saturation.name));

  /** Where the dot is from the center, of a radius of 1; y is down. */
  function position() {
    const [angle, radius] = [store.value(hue.name) * Math.PI / 180, store.value(saturation.name)];
    return [radius * Math.cos(angle), -radius * Math.sin(angle)];
  }
  function place({ clientX, clientY }) {
    const { left, top, width } = disc.getBoundingClientRect();
    return [(clientX - left) / width * 2 - 1, (clientY - top) / width * 2 - 1];
  }

  /** From the pointer to the dot that it holds; null while it holds none. */
  let held = null;
  function move(event, isLive) {
    if (!held) return;
    const [x, y] = place(event).map((value, n) => value + held[n]);
    const angle = (Math.round(Math.atan2(-y, x) * 180 / Math.PI) + 360) % 360;
    const radius = Number(Math.min(1, Math.hypot(x, y)).toFixed(2));
    store.set({ [hue.name]: angle, [saturation.name]: radius }, {
      isLive, step: `${title} ${words(angle, hue)}, ${words(radius, saturation)}`,
    });
    if (!isLive) held = null;
  }
  disc.addEventListener('pointerdown', (event) => {
    if (isOff() || event.button !== 0) return;
    event.preventDefault();
    const [at, now] = [place(event), position()];
    // A dot that is gripped does not jump.
    held = [now[0] - at[0], now[1] - at[1]];
    if (Math.hypot(...held) > 0.2) held = [0, 0];
    disc.setPointerCapture(event.pointerId);
    members[0].element.querySelector('input').focus();
    move(event, true);
  });
  disc.addEventListener('pointermove', (event) => move(event, true));
  for (const end of ['pointerup', 'pointercancel']) {
    disc.addEventListener(end, (event) => move(event, false));
  }

  return {
    element: element('div', { class: 'wheel-cell', role: 'group', 'aria-label': title },
      element('div', { class: 'wheel-head' }, element('span', {}, title), reset), disc,
      members.map((member) => member.element)),
    mark() {
      [dot.style.left, dot.style.top] = position().map((value) => `${50 + 50 * value}%`);
      disc.classList.toggle('is-off', isOff());
      reset.hidden = !names.some((name) => store.isOwn(name));
    },
  };
}
