// A text: two numbers, or the path of a file, typed or chosen from those that are beside the raw.

import { element } from './element.js';
import { api } from './protocol.js';
import { store } from './store.js';

const paths = ['profilePath', 'lutPath', 'whiteFrom', 'exposureFrom'];

export function textControl(property, commit) {
  let value = '';
  const isPair = property.kind === 'pair';
  const isPath = paths.includes(property.name);
  const files = element('datalist', { id: `files-${property.name}` });
  const input = element('input', {
    type: 'text', autocomplete: 'off', spellcheck: 'false',
    list: isPath ? files.id : null,
    placeholder: isPath ? 'Choose or type a file'
      : isPair ? `${property.standard}, or x, y`
        : property.standard + (property.example && `, or as ${property.example}`),
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
  if (isPath) {
    input.addEventListener('focus', async () => {
      const found = await api.files(store.picture.id).catch(() => ({}));
      files.replaceChildren(...(found[property.name] ?? [])
        .map((path) => element('option', { value: path })));
    });
    // One that is chosen from the list is taken at once.
    input.addEventListener('input', (event) => {
      if (!(event instanceof InputEvent) || event.inputType === 'insertReplacementText') take();
    });
  }

  function take() {
    const text = input.value.trim();
    if (text === value) return;
    const wanted = isPair ? (text.match(/-?[\d.]+/g) ?? []).map(Number) : text;
    // Half a pair is not a value yet.
    if (isPair && text && !(wanted.length === 2 && wanted.every(isFinite))) return;
    value = text;
    commit(text === '' ? undefined : wanted);
  }

  return {
    input,
    value: isPath ? files : '',
    body: input,
    update(now, isDisabled) {
      input.disabled = isDisabled;
      const text = Array.isArray(now) ? now.join(', ') : typeof now === 'string' ? now : '';
      if (text === value || document.activeElement === input) return;
      value = text;
      input.value = text;
    },
  };
}
