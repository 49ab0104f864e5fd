// A control for every property of the program, in groups in the order of the work.

import { control } from './control.js';
import { element, iconButton } from './element.js';
import { fold } from './fold.js';
import { head } from './head.js';
import { on, store } from './store.js';
import { tab, tabsForParts } from './tabs.js';
import { tabbed } from './tabbed.js';
import { wheels } from './wheels.js';

/** What most people reach for first: groups that are open at first. */
const common = ['light', 'color'];

const page = tab('adjust', 'Adjust');
const search = element('input', {
  type: 'search', id: 'control-filter', placeholder: 'Find a control',
  'aria-label': 'Find a control', autocomplete: 'off', spellcheck: 'false',
});
const onlyChanged = element('button', {
  type: 'button', 'aria-pressed': 'false', title: 'Show only changed controls',
}, 'Changed');
const resetAll = iconButton('reset', 'Reset all controls', () => {
  if (store.picture && Object.keys(store.picture.own).length) {
    store.replace({}, { step: 'Reset all' });
  }
});
const list = element('div', { id: 'controls' });
const nothing = element('p', { class: 'hint nothing', hidden: true }, 'No control is called that.');
page.append(head, element('div', { id: 'controls-head' }, search, onlyChanged, resetAll),
  nothing, list);

let groups = [];
let inText = false;
const controls = new Map();

const look = () => ({ wanted: words(), isOnlyChanged: isOnlyChanged(), inText });

function build() {
  controls.clear();
  groups = store.start.groups.map(({ id, title: name }) => {
    const members = store.start.properties.filter((property) => property.group === id).map(control);
    for (const member of members) controls.set(member.property.name, member);
    return fold({
      id, title: name, level: 2, items: folded(id, members), look,
      isOpenAtFirst: common.includes(id),
    });
  }).filter(({ members }) => members.length);
  list.replaceChildren(...groups.map((each) => each.element));
  tabsForParts(page, groups);
  update();
}

/** `members`, with those of one family that follow each other in a fold. */
function folded(id, members) {
  const items = [];
  for (let index = 0; index < members.length;) {
    const { family } = members[index].property;
    const end = members.findIndex((each, n) => n > index && each.property.family !== family);
    const run = members.slice(index, end < 0 ? members.length : end);
    items.push(...(family ? [fold({
      id: `${id}-${run[0].property.name}`, title: family, level: 3,
      items: arranged[family]?.(run) ?? run,
      isOpenAtFirst: false, look,
    })] : run));
    index += run.length;
  }
  return items;
}

/** Folds that are more than a list. */
const arranged = {
  Curve: (run) => [tabbed('Channels of the curve', run.map((member, n) => (
    { title: ['All', 'Red', 'Green', 'Blue'][n], members: [member] })))],
  Mixer(run) {
    const isGray = () => Boolean(store.value('isBlackAndWhiteEnabled'));
    const part = (title, end, isOff) => ({
      title, isOff, members: run.filter(({ property }) => property.name.endsWith(end)),
    });
    return [run[0], tabbed('Values of the mixer', [
      ...['Hue', 'Saturation', 'Luminance'].map((title) => part(title, title, isGray)),
      part('Brightness', 'Gray', () => !isGray()),
    ])];
  },
  Grading: (run) => [wheels(run.slice(0, 12)), ...run.slice(12)],
};

const words = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
const isOnlyChanged = () => onlyChanged.getAttribute('aria-pressed') === 'true';

function filter() {
  const show = () => groups.reduce((sum, each) => sum + each.show(), 0);
  list.classList.toggle('is-found', Boolean(search.value.trim()) || isOnlyChanged());
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

function takeFilterOff() {
  search.value = '';
  onlyChanged.setAttribute('aria-pressed', 'false');
  filter();
}

// The head, which filters, is seen with all groups alone.
page.addEventListener('select', ({ target, detail: part }) => {
  // Fields tell of selected text by an event of the same name.
  if (target !== page) return;
  list.classList.toggle('has-part', part !== null);
  if (part) takeFilterOff();
  for (const { id, element: group } of groups) group.classList.toggle('is-part', id === part);
});

/** Shows the control of a property, and gives it the focus. */
export function reveal(name) {
  const wanted = controls.get(name);
  const home = groups.find(({ members }) => members.includes(wanted));
  if (!home) return;
  home.open(wanted);
  takeFilterOff();
  page.select();
  wanted.element.scrollIntoView({ block: 'nearest' });
  wanted.element.querySelector('input, select, .point, .opens, .value button')?.focus();
}

/** Puts the cursor into the field that finds controls. */
export function find() {
  page.select();
  search.focus();
  search.select();
}

on('reveal', reveal);
// The picture is asked for first.
on('start', () => setTimeout(() => {
  build();
  filter();
}));
on('picture', () => update());
on('state', () => update());
on('document', () => update());
on('values', ({ names }) => update(names));
