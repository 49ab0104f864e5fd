// One of several texts; the camera profiles are those of the file.

import { element } from './element.js';
import { store } from './store.js';

export function choiceControl(property, commit) {
  const input = element('select', {
    onchange: () => commit(input.value === '' ? undefined : input.value),
  });
  let shown = null;

  function fill(choices, hasNone) {
    if (`${choices}` === shown) return;
    shown = `${choices}`;
    input.replaceChildren(
      ...(hasNone ? [element('option', { value: '' }, property.standard)] : []),
      ...choices.map((choice) => element('option', { value: choice }, choice)));
  }

  return {
    input,
    value: '',
    body: input,
    update(now, isDisabled) {
      const own = property.choices.length ? property.choices : store.picture?.state?.profiles ?? [];
      const text = now === null ? '' : String(now);
      const isKnown = text === '' || own.includes(text);
      fill(isKnown ? own : [...own, text], !property.choices.length || text === '');
      input.value = text;
      input.disabled = isDisabled;
    },
  };
}
