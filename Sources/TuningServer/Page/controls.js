// A control for every property of the program, in groups in the order in which they act.

import { control } from './control.js';
import { element, iconButton } from './element.js';
import { families } from './families.js';
import { fold } from './fold.js';
import { on, store } from './store.js';
import { tab } from './tabs.js';
import { title } from './wording.js';

/** What most people reach for first: groups with these are open at first. */
const common = ['exposure', 'neutralTemperature', 'contrast', 'saturation'];

const page = tab('adjust', 'Adjust');
const search = element('input', {
  type: 'search', id: 'control-filter', placeholder: 'Find a control',
  'aria-label': 'Find a control', autocomplete: 'off', spellcheck: 'false',
});
const onlyChanged = element('button', {
  type: 'button', 'aria-pressed': 'false', title: 'Show only controls that are changed',
}, 'Changed');
const resetAll = iconButton('reset', 'Reset all controls', () => {
  if (store.picture && Object.keys(store.picture.own).length) {
    store.replace({}, { step: 'Reset all' });
  }
});
const list = element('div', { id: 'controls' });
const nothing = element('p', { class: 'hint nothing', hidden: true }, 'No control is called that.');
page.append(element('div', { id: 'controls-head' }, search, onlyChanged, resetAll), nothing, list);

let groups = [];
let inText = false;
const controls = new Map();

const look = () => ({ wanted: words(), isOnlyChanged: isOnlyChanged(), inText });

function build() {
  controls.clear();
  groups = store.start.groups.map(({ id, title: name }) => {
    const members = store.start.properties.filter((property) => property.group === id).map(control);
    for (const member of members) controls.set(member.property.name, member);
    const items = families(members).flatMap(({ word, members: family }) => (word === null ? family
      : fold({
        id: `${id}-${family[0].property.name}`, title: title(word), level: 3, items: family,
        isOpenAtFirst: false, look,
      })));
    return fold({
      id, title: name, level: 2, items, look,
      isOpenAtFirst: members.some(({ property }) => common.includes(property.name)),
    });
  }).filter(({ members }) => members.length);
  list.replaceChildren(...groups.map((each) => each.element));
  update();
}

const words = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
const isOnlyChanged = () => onlyChanged.getAttribute('aria-pressed') === 'true';

function filter() {
  const show = () => groups.reduce((sum, each) => sum + each.show(), 0);
  // What is called so; where nothing is, all that speaks of it.
  inText = false;
  let shown = show();
  if (!shown) {
    inText = true;
    shown = show();
  }
  nothing.hidden = shown > 0;
  nothing.textContent = isOnlyChanged() && !search.value
    ? 'Nothing is changed on this picture.' : 'No control is called that.';
}

/** Shows the values of now; those of `names` only where given. */
function update(names) {
  if (names) {
    for (const name of names) controls.get(name)?.update();
  } else {
    for (const each of controls.values()) each.update();
  }
  for (const each of groups) each.mark();
  resetAll.disabled = !store.picture || !Object.keys(store.picture.own).length;
  if (isOnlyChanged()) filter();
}

search.addEventListener('input', filter);
search.addEventListener('keydown', (event) => {
  event.stopPropagation();
  if (event.key !== 'Escape') return;
  if (search.value) {
    search.value = '';
    filter();
  } else {
    search.blur();
  }
});
onlyChanged.addEventListener('click', () => {
  onlyChanged.setAttribute('aria-pressed', String(!isOnlyChanged()));
  filter();
});

/** Shows the control of a property, and gives it the focus. */
export function reveal(name) {
  const wanted = controls.get(name);
  const home = groups.find(({ members }) => members.includes(wanted));
  if (!home) return;
  search.value = '';
  onlyChanged.setAttribute('aria-pressed', 'false');
  home.open();
  home.items.find((item) => item.members?.includes(wanted))?.open();
  filter();
  page.select();
  wanted.element.scrollIntoView({ block: 'nearest' });
  wanted.element.querySelector('input, select, button.edit')?.focus();
}

/** Puts the cursor into the field that finds controls. */
export function find() {
  page.select();
  search.focus();
  search.select();
}

// The picture is asked for first.
on('start', () => setTimeout(() => {
  build();
  filter();
  // What comes first in the pipeline is seldom what is looked for: the first open group is seen.
  const first = groups.find((each) => each.isOpen());
  if (first) page.scrollTop = first.element.offsetTop - page.firstElementChild.offsetHeight;
}));
on('picture', () => update());
on('state', () => update());
on('document', () => update());
on('values', ({ names }) => update(names));
