// What most pictures begin with, above the controls: Auto, looks, color or black and white.

import { chooseByArrows, element } from './element.js';
import { lookMenu } from './looks.js';
import { say } from './messages.js';
import { api } from './protocol.js';
import { on, store } from './store.js';

const name = 'isBlackAndWhiteEnabled';
const button = (text, title, onclick) => (
  element('button', { type: 'button', title, onclick }, text));
const autoButton = button('Auto', 'Set light and color by the picture (a)', () => auto());
const looks = button('Look', 'Choose a look');
const kinds = ['Color', 'Black and white'].map((text, n) => button(text, text, () => {
  const value = n || store.inherited(name)?.value ? Boolean(n) : undefined;
  if (Boolean(store.value(name)) !== Boolean(n)) store.set({ [name]: value }, { step: text });
}));

export const head = element('div', {
  id: 'panel-head', role: 'toolbar', 'aria-label': 'Start with',
}, autoButton, looks, kinds);
chooseByArrows(head, true);
lookMenu(looks);

/** Whether the property is so without being set here. */
const holds = (each, value) => (store.inherited(each)?.layer ?? 'engine') === 'engine'
  && value === Number(store.properties.get(each)?.standard);

/** Sets what the server finds for the picture, as one step. */
export async function auto() {
  const { picture } = store;
  if (!picture || autoButton.disabled) return;
  autoButton.disabled = true;
  try {
    const { values } = await api.auto(picture.id, picture.own);
    if (picture === store.picture) {
      store.set(Object.fromEntries(Object.entries(values).map(([each, value]) =>
        [each, holds(each, value) ? undefined : value])), { step: 'Auto' });
    }
  } catch (error) {
    say(error.message, { key: 'auto', kind: 'bad' });
  }
  autoButton.disabled = !store.picture;
}

function update() {
  autoButton.disabled = looks.disabled = !store.picture;
  kinds.forEach((each, n) => {
    each.setAttribute('aria-pressed', String(Boolean(store.value(name)) === Boolean(n)));
    each.disabled = !store.picture || Boolean(store.withoutEffect(name));
  });
}
for (const event of ['picture', 'state', 'values']) on(event, update);
update();
