// Two numbers that belong together, as x and y.

import { element } from './element.js';
import { title, typed } from './wording.js';

export function pairControl(property, commit) {
  let value = null;
  const fields = ['x', 'y'].map((axis) => element('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', placeholder: property.standard,
    'aria-label': `${title(property.name)}, ${axis}`,
    onkeydown: (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') take();
      if (event.key === 'Escape') show();
    },
    onblur: () => take(),
  }));

  function take() {
    if (fields.every((field) => field.value.trim() === '')) {
      if (value) commit(undefined);
      return;
    }
    const numbers = fields.map((field) => typed(field.value));
    // Half a pair is not a value yet.
    if (numbers.some(Number.isNaN) || `${numbers}` === `${value}`) return;
    value = numbers;
    commit(numbers);
  }

  function show() {
    fields.forEach((field, index) => { field.value = value ? String(value[index]) : ''; });
  }

  return {
    input: fields[0],
    isGroup: true,
    value: element('span', { class: 'value pair-fields' }, fields),
    body: '',
    update(now, isDisabled) {
      for (const field of fields) field.disabled = isDisabled;
      const shown = Array.isArray(now) && now.length === 2 ? now : null;
      if (`${shown}` === `${value}` || fields.includes(document.activeElement)) return;
      value = shown;
      show();
    },
  };
}
