// Where the white comes from: a menu over the ways of giving it, and the picker.

import { element } from './element.js';
import { icon } from './icons.js';
import { emit, store } from './store.js';
import { whiteNames } from './white.js';

const automatic = 'isAutomaticWhiteBalanceEnabled';
const isGiven = (name) => store.isOwn(name)
  || (store.inherited(name)?.layer ?? 'engine') !== 'engine';

function now() {
  if (store.value(automatic)) return 'Auto';
  if (isGiven('whiteFrom')) return 'From a picture …';
  return whiteNames.some((name) => name !== automatic && isGiven(name)) ? 'As set' : 'As shot';
}

const run = {
  'As shot': () => store.set({
    ...Object.fromEntries(whiteNames.map((name) => [name, undefined])),
    [automatic]: store.inherited(automatic)?.value ? false : undefined,
  }, { step: 'White balance as shot' }),
  Auto: () => store.set({ [automatic]: true }, { step: 'White balance auto' }),
  'As set': () => emit('reveal', 'neutralTemperature'),
  'From a picture …': () => emit('reveal', 'whiteFrom'),
};

export function whiteControl() {
  const input = element('select', {
    onchange: () => {
      const wanted = input.value;
      input.value = now();
      run[wanted]();
    },
  }, Object.keys(run).map((way) => element('option', {}, way)));
  const pick = element('button', {
    type: 'button', class: 'icon', title: 'Pick white on the picture',
    'aria-label': 'Pick white', onclick: () => emit('tool', 'white'),
  }, icon('white'));
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
