// What frames the picture is set by tools: a button that opens the crop, buttons that turn.

import { turn } from './crop.js';
import { element } from './element.js';
import { icon } from './icons.js';
import { emit } from './store.js';

export function cropControl() {
  const input = element('button', {
    type: 'button', class: 'opens', onclick: () => emit('tool', 'crop') });
  return {
    input,
    value: '',
    body: input,
    update(now, isDisabled) {
      input.textContent = (now ?? 'none') === 'none' ? 'Crop …' : String(now).replaceAll(',', ' ');
      input.disabled = isDisabled;
    },
  };
}

export function turnControl() {
  const buttons = Object.entries({ left: -1, right: 1, mirror: 'mirror' }).map(([name, turns]) => {
    const title = name === 'mirror' ? 'Flip' : `Turn ${name}`;
    return element('button', {
      type: 'button', class: 'icon', 'aria-label': title, title, onclick: () => turn(turns),
    }, icon(name));
  });
  return {
    input: buttons[0],
    isGroup: true,
    value: element('span', { class: 'value' }, buttons),
    body: '',
    update(now, isDisabled) { for (const each of buttons) each.disabled = isDisabled; },
  };
}
