// The bar of the film strip: filter and order, marks of the selected pictures, grid and comparing.

import { swapCrop } from './crop.js';
import { element } from './element.js';
import { selectAll } from './filmstrip.js';
import { isGrid, toggleGrid } from './grid.js';
import { icon } from './icons.js';
import { addKeys } from './keyboard.js';
import { isAdvancing, mark, writeXMP } from './marks.js';
import { menu } from './menu.js';
import { mode, onMode } from './modes.js';
import { togglePair } from './pair.js';
import { pictures } from './pictures.js';
import { remember } from './remembered.js';
import { on, store } from './store.js';
import { canSync, isSyncing, setSyncing } from './sync.js';
import { button } from './toolparts.js';

const status = element('p', { class: 'strip-status', role: 'status' });
const filterText = element('span');
const filterButton = element('button', { type: 'button', class: 'strip-filter' }, filterText);
const more = element('button', { type: 'button', 'aria-label': 'More for the selection' }, '⋯');
const stars = [1, 2, 3, 4, 5].map((n) => element('button', {
  type: 'button', 'aria-label': `${n} star${n > 1 ? 's' : ''}`, title: `${n} (${n})`,
  onclick: () => mark({ rating: shown().rating === n ? 0 : n }),
}, '★'));
const pick = (value) => () => mark({ pick: shown().pick === value ? null : value });
const flags = {
  picked: button('', 'Pick', pick('picked'), { pressed: false, key: 'p', icon: icon('flag') }),
  rejected: button('', 'Reject', pick('rejected'),
    { pressed: false, key: 'x', icon: icon('reject') }),
};
const sync = button('Sync', 'Sync: set what is changed in all selected pictures', () => {
  setSyncing(!isSyncing());
  show();
}, { pressed: false, icon: icon('sync') });
const grid = button('', 'Grid', toggleGrid, { pressed: false, key: 'g', icon: icon('grid') });
const pair = button('', 'Compare two pictures', togglePair,
  { pressed: false, key: 'n', icon: icon('pair'), class: 'strip-pair' });
const group = (label, ...children) =>
  element('div', { role: 'group', 'aria-label': label }, children);
document.getElementById('filmstrip').prepend(element('div', { class: 'strip-bar' },
  group('Filter', filterButton, status),
  group('Rating', element('span', { class: 'strip-stars' }, stars), Object.values(flags)),
  group('Views', sync, grid, pair, more)));

/** What the buttons show: the marks of the open picture, else of the first selected one. */
function shown() {
  const { selection, picture } = store;
  return pictures.entry(selection.includes(picture?.id) ? picture.id : selection[0]) ?? {};
}

function show() {
  const { filter: { stars: least, isPicked, hidesRejects, isEdited }, sort } = pictures;
  const { rating, pick: picked } = shown();
  filterText.textContent = [
    least && '★'.repeat(least), isPicked && 'picks', hidesRejects && 'no rejects',
    isEdited && 'edited', sort !== 'name' && `by ${sort}`].filter(Boolean).join(' · ') || 'Filter';
  filterButton.setAttribute('aria-pressed', String(pictures.isFiltered));
  const { length } = store.selection;
  status.textContent = (pictures.isFiltered ? `${pictures.matching} of ` : '') + pictures.count
    + (length > 1 ? `, ${length} selected` : '');
  status.classList.toggle('is-needed', pictures.isFiltered || length > 1);
  stars.forEach((each, n) => {
    each.setAttribute('aria-pressed', String(rating === n + 1));
    each.classList.toggle('is-lit', rating > n);
  });
  for (const [value, each] of Object.entries(flags)) {
    each.setAttribute('aria-pressed', String(picked === value));
  }
  sync.hidden = !canSync();
  sync.setAttribute('aria-pressed', String(isSyncing()));
  grid.setAttribute('aria-pressed', String(isGrid()));
  pair.setAttribute('aria-pressed', String(mode() === 'pair'));
}

menu(filterButton, () => {
  const { filter, sort } = pictures;
  const toggle = (name, label) => ({
    label, isChecked: filter[name], run: () => pictures.choose({ [name]: !filter[name] }),
  });
  return [
    { title: 'Stars', items: [0, 1, 2, 3, 4, 5].map((n) => ({
      label: n ? `${'★'.repeat(n)}${n < 5 ? ' and more' : ''}` : 'All',
      isChecked: filter.stars === n, run: () => pictures.choose({ stars: n }),
    })) },
    { title: 'Show', items: [toggle('isPicked', 'Picks only'),
      toggle('hidesRejects', 'Without rejects'), toggle('isEdited', 'With settings only')] },
    { title: 'Order', items: ['name', 'date', 'rating'].map((order) => ({
      label: `By ${order}`, isChecked: sort === order, run: () => pictures.sortBy(order),
    })) },
    null,
    { label: 'No filter', isDisabled: !pictures.isFiltered, run: () => pictures.choose() },
  ];
});
menu(more, () => [
  { label: 'Next picture after marking', isChecked: isAdvancing(),
    run: () => remember('advance', !isAdvancing()) },
  null,
  { label: 'Compare two pictures', hint: 'N', run: togglePair },
  { label: 'Select all pictures', hint: 'Ctrl A', run: selectAll },
  { label: 'Write ratings to XMP…', isDisabled: !store.selection.length, run: writeXMP },
]);

addKeys('Choosing',
  { keys: ['0', '1', '2', '3', '4', '5'], shown: ['0 – 5'], text: 'Stars',
    run: ({ key }) => mark({ rating: Number(key) }) },
  { keys: 'p', text: 'Pick', run: () => mark({ pick: 'picked' }) },
  { keys: 'x', text: 'Reject; while cropping swap width and height of the crop',
    run: () => (mode() === 'crop' ? swapCrop() : mark({ pick: 'rejected' })) },
  { keys: 'u', text: 'Neither picked nor rejected', run: () => mark({ pick: null }) },
  { keys: 'g', text: 'Grid of the pictures', run: toggleGrid },
  { keys: 'n', text: 'Compare two pictures', run: togglePair });

for (const name of ['selection', 'listed', 'picture']) on(name, show);
onMode(show);
