// A text, as the path of a look: typed, or chosen from the files that are beside the raw.

import { element } from './element.js';
import { api } from './protocol.js';
import { store } from './store.js';

const paths = ['profilePath', 'lutPath', 'whiteFrom', 'exposureFrom'];

export function textControl(property, commit) {
  let value = '';
  const isPath = paths.includes(property.name);
  const files = element('datalist', { id: `files-${property.name}` });
  const input = element('input', {
    type: 'text', autocomplete: 'off', spellcheck: 'false',
    list: isPath ? files.id : null,
    placeholder: isPath ? 'Choose or type a file'
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
    value = text;
    commit(text === '' ? undefined : text);
  }

  return {
    input,
    value: isPath ? files : '',
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
