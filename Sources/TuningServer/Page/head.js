// What most pictures begin with, above the controls: Auto, looks, color or black and white.

import { element } from './element.js';
import { lookButton } from './looks.js';
import { say } from './messages.js';
import { api } from './protocol.js';
import { on, store } from './store.js';

const name = 'isBlackAndWhiteEnabled';
const button = (text, title, onclick) => element('button', { type: 'button', title, onclick }, text);

const autoButton = button('Auto', 'Set light and color by the picture (a)', () => auto());
const looks = button('Look', 'Choose a look', null);
const kinds = [['Color', false], ['Black and white', true]].map(([text, isOn]) => (
  button(text, text, () => {
    if (Boolean(store.value(name)) === isOn) return;
    store.set({ [name]: isOn || store.inherited(name)?.value ? isOn : undefined }, { step: text });
  })));
const all = [autoButton, looks, ...kinds];

export const head = element('div', {
  id: 'panel-head', role: 'toolbar', 'aria-label': 'Start with',
}, autoButton, looks,
element('div', { class: 'kinds', role: 'group', 'aria-label': 'Kind of picture' }, kinds));

/** Sets what the server finds for the picture, as one step. */
export async function auto() {
  const { picture } = store;
  if (!picture || autoButton.getAttribute('aria-busy') === 'true') return;
  autoButton.setAttribute('aria-busy', 'true');
  try {
    const { values } = await api.auto(picture.id, picture.own);
    if (picture !== store.picture) return;
    // What would hold anyway is not written.
    store.set(Object.fromEntries(Object.entries(values).map(([each, value]) => [each,
      value === Number(store.properties.get(each)?.standard)
        && (store.inherited(each)?.layer ?? 'engine') === 'engine' ? undefined : value])),
    { step: 'Auto' });
  } catch (error) {
    say(error.message, { key: 'auto', kind: 'bad' });
  } finally {
    autoButton.removeAttribute('aria-busy');
  }
}

function update() {
  const isOn = Boolean(store.value(name));
  kinds.forEach((each, n) => each.setAttribute('aria-pressed', String(isOn === (n === 1))));
  for (const each of all) {
    each.disabled = !store.picture
      || kinds.includes(each) && Boolean(store.withoutEffect(name));
  }
}

// One stop of the Tab key for all of them; arrows go on.
all.forEach((each, n) => {
  each.tabIndex = n ? -1 : 0;
  each.addEventListener('focus', () => all.forEach((other) => {
    other.tabIndex = other === each ? 0 : -1;
  }));
  each.addEventListener('keydown', (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const enabled = all.filter((other) => !other.disabled);
    enabled.at((enabled.indexOf(each) + way) % enabled.length).focus();
  });
});

on('start', lookButton(looks));
on('picture', update);
on('state', update);
on('values', update);
update();
