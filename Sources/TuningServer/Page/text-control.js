// A text, as the path of a look or a crop in numbers.

import { element } from './element.js';

export function textControl(property, commit) {
  let value = '';
  const input = element('input', {
    type: 'text', autocomplete: 'off', spellcheck: 'false',
    placeholder: property.example ? `${property.standard}, or as ${property.example}`
      : property.standard,
  });
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') take();
    if (event.key === 'Escape') {
      input.value = value;
      input.blur();
    }
  });
  input.addEventListener('blur', take);

  function take() {
    const text = input.value.trim();
    if (text === value) return;
    value = text;
    commit(text === '' ? undefined : text);
  }

  return {
    input,
    value: '',
    body: input,
    update(now, isDisabled) {
      input.disabled = isDisabled;
      const text = typeof now === 'string' ? now : '';
      if (text === value || document.activeElement === input) return;
      value = text;
      input.value = text;
    },
  };
}
