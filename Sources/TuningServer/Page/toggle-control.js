// On or off: a switch.

import { element } from './element.js';

export function toggleControl(property, commit) {
  const input = element('input', {
    type: 'checkbox', role: 'switch', class: 'switch', onchange: () => commit(input.checked),
  });
  return {
    input,
    value: element('span', { class: 'value' }, input),
    body: '',
    update(now, isDisabled) {
      input.checked = now === true || now === 1;
      input.disabled = isDisabled;
    },
  };
}
