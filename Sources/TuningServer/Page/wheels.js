// Color grading: for each range of tones a wheel, whose angle is the hue and whose radius the
// saturation, above its controls.

import { element, iconButton } from './element.js';
import { showControls } from './fold.js';
import { store } from './store.js';
import { words } from './wording.js';

/** All wheels, of the controls `members`, three for each. An item of a fold. */
export function wheels(members, look) {
  const cells = [];
  for (let n = 0; n < members.length; n += 3) cells.push(wheel(members.slice(n, n + 3)));
  const host = element('div', { class: 'wheels' }, cells.map((cell) => cell.element));
  return {
    element: host,
    members,
    show(isNamed) {
      const { wanted, isOnlyChanged } = look();
      host.classList.toggle('is-found', wanted.length > 0 || isOnlyChanged);
      return cells.reduce((sum, { element: cell, members: own }) => {
        const shown = showControls(own, isNamed, look());
        cell.hidden = !shown;
        return sum + shown;
      }, 0);
    },
    mark() { for (const cell of cells) cell.mark(); },
  };
}

function wheel(members) {
  const [hue, saturation] = members.map(({ property }) => property);
  const title = hue.title.replace(/ hue$/, '');
  const dot = element('span', { class: 'wheel-dot' });
  const disc = element('div', { class: 'wheel', title: `${title}: hue and saturation` }, dot);
  const reset = iconButton('reset', `Reset ${title}`, () => store.set(
    Object.fromEntries(members.map(({ property }) => [property.name, undefined])),
    { step: `Reset ${title}` }));
  const number = (property) => Number(store.value(property.name)) || 0;
  const isOff = () => !store.picture || Boolean(store.withoutEffect(saturation.name));

  /** Where the dot is from the center, of a radius of 1; up is negative. */
  function position() {
    const angle = number(hue) * Math.PI / 180;
    const radius = number(saturation);
    return { x: radius * Math.cos(angle), y: -radius * Math.sin(angle) };
  }

  /** From the pointer to the dot that it holds; null while it holds none. */
  let held = null;
  const place = ({ clientX, clientY }) => {
    const { left, top, width } = disc.getBoundingClientRect();
    return { x: (clientX - left) / width * 2 - 1, y: (clientY - top) / width * 2 - 1 };
  };
  function move(event, isLive) {
    const at = place(event);
    const [x, y] = [at.x + held.x, at.y + held.y];
    const changes = {
      [hue.name]: (Math.round(Math.atan2(-y, x) * 180 / Math.PI) + 360) % 360,
      [saturation.name]: Number(Math.min(1, Math.hypot(x, y)).toFixed(2)),
    };
    store.set(changes, {
      isLive, step: `${title} ${words(changes[hue.name], hue)}, `
        + words(changes[saturation.name], saturation),
    });
  }
  disc.addEventListener('pointerdown', (event) => {
    if (isOff() || event.button !== 0) return;
    event.preventDefault();
    const [at, now] = [place(event), position()];
    const distance = { x: now.x - at.x, y: now.y - at.y };
    // A dot that is gripped does not jump.
    held = Math.hypot(distance.x, distance.y) < 0.2 ? distance : { x: 0, y: 0 };
    disc.setPointerCapture(event.pointerId);
    members[0].element.querySelector('input').focus();
    move(event, true);
  });
  disc.addEventListener('pointermove', (event) => { if (held) move(event, true); });
  for (const end of ['pointerup', 'pointercancel']) {
    disc.addEventListener(end, (event) => {
      if (held) move(event, false);
      held = null;
    });
  }
  disc.addEventListener('dblclick', () => reset.click());

  return {
    element: element('div', { class: 'wheel-cell', role: 'group', 'aria-label': title },
      element('div', { class: 'wheel-head' }, element('span', {}, title), reset), disc,
      members.map((member) => member.element)),
    members,
    mark() {
      const { x, y } = position();
      dot.style.left = `${50 + 50 * x}%`;
      dot.style.top = `${50 + 50 * y}%`;
      disc.classList.toggle('is-off', isOff());
      reset.hidden = !members.some(({ property }) => store.isOwn(property.name));
    },
  };
}
