// What frames the picture is set by tools: a button that opens the crop, buttons that turn.

import { turn } from './crop.js';
import { element } from './element.js';
import { icon } from './icons.js';
import { emit } from './store.js';

export function cropControl() {
  const input = element('button', { type: 'button', class: 'opens', onclick: () => emit('tool', 'crop') });
  return {
    input,
    value: '',
    body: input,
    update(now, isDisabled) {
      input.textContent = typeof now === 'string' && now !== 'none' ? now.replaceAll(',', ' ') : 'Crop …';
      input.disabled = isDisabled;
    },
  };
}

export function turnControl() {
  const ways = [['left', 'Turn left', -1], ['right', 'Turn right', 1], ['mirror', 'Flip', 'mirror']];
  const buttons = ways.map(([name, label, turns]) => element('button', {
    type: 'button', class: 'icon', 'aria-label': label, title: label, onclick: () => turn(turns),
  }, icon(name)));
  return {
    input: buttons[0],
    isGroup: true,
    value: element('span', { class: 'value' }, buttons),
    body: '',
    update(now, isDisabled) { for (const each of buttons) each.disabled = isDisabled; },
  };
}
