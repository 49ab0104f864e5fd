// Where the white comes from: a menu over the ways of giving it, and the picker.

import { element, iconButton } from './element.js';
import { emit, store } from './store.js';
import { whiteNames } from './white.js';

const automatic = 'isAutomaticWhiteBalanceEnabled';
const ways = {
  shot: 'As shot', auto: 'Auto', set: 'As set', from: 'From a picture …',
};

/** Whether the page or a document gives the value. */
const isGiven = (name) => store.isOwn(name)
  || (store.inherited(name)?.layer ?? 'engine') !== 'engine';

function now() {
  if (store.value(automatic)) return 'auto';
  if (isGiven('whiteFrom')) return 'from';
  return whiteNames.some((name) => name !== automatic && isGiven(name)) ? 'set' : 'shot';
}

function choose(way) {
  if (way === 'shot') {
    const changes = Object.fromEntries(whiteNames.map((name) => [name, undefined]));
    if (store.inherited(automatic)?.value) changes[automatic] = false;
    store.set(changes, { step: 'White balance as shot' });
  } else if (way === 'auto') {
    store.set({ [automatic]: true }, { step: 'White balance auto' });
  } else {
    emit('reveal', way === 'from' ? 'whiteFrom' : 'neutralTemperature');
  }
}

export function whiteControl() {
  const input = element('select', {
    onchange: () => {
      const way = input.value;
      input.value = now();
      choose(way);
    },
  }, Object.entries(ways).map(([value, text]) => element('option', { value }, text)));
  const pick = iconButton('picker', 'Pick white on the picture', () => emit('tool', 'white'));
  return {
    input,
    value: element('span', { class: 'value' }, pick),
    body: input,
    update(value, isDisabled) {
      input.value = now();
      input.disabled = pick.disabled = isDisabled;
    },
  };
}
