// The film strip, and the grid that it grows to. Only pictures that are seen have elements, however
// many there are.

import { element, icon } from './element.js';
import { isPending } from './failures.js';
import { isGrid, layout } from './grid.js';
import { say } from './messages.js';
import { endMode, onMode } from './modes.js';
import { open } from './opening.js';
import { listed, pictures } from './pictures.js';
import { firstId, nameFirst } from './preview.js';
import { emit, on, store } from './store.js';
import { only, thumbnail } from './thumbnails.js';

const strip = document.getElementById('filmstrip');
const track = element('div', { class: 'track' });
const list = element('div', {
  class: 'strip', role: 'listbox', tabindex: '0', 'aria-multiselectable': 'true',
  'aria-orientation': 'horizontal', 'aria-label': 'Pictures of the folder',
}, track);
strip.append(list);

/** Elements by identity. */
const shown = new Map();
/** The picture that the arrow keys start from, and where a range of selected ones began. */
let focus = null;
let anchor = null;
/** The picture that is open, or is about to be. */
let wanted = null;
/** What takes steps and presses instead of opening: `{id, step(by), take(entry)}`; null for none. */
let guide = null;

export function guideTo(to) {
  guide = to;
  draw();
}

function draw() {
  const { length } = pictures;
  strip.hidden = Boolean(store.start?.single) || pictures.count <= 1;
  const { each, width, line, axis, view, at } = layout(list);
  const lines = Math.ceil(length / each);
  const isRows = axis === 'scrollTop';
  track.style.width = isRows ? '' : `${lines * line}px`;
  track.style.height = isRows ? `${lines * line}px` : '';
  track.style.setProperty('--cell', `${width}px`);
  const spare = isRows ? 1 : 3;
  const first = Math.max(0, Math.floor(list[axis] / line) - spare) * each;
  const last = Math.min(length, (Math.ceil((list[axis] + view) / line) + spare) * each);
  const visible = new Map();
  for (let n = first; n < last; n += 1) {
    const entry = pictures.at(n);
    if (entry) visible.set(entry.id, n);
  }
  for (const [id, item] of shown) {
    if (visible.has(id)) continue;
    item.remove();
    shown.delete(id);
  }
  only(visible);
  for (const [id, position] of visible) {
    const entry = pictures.at(position);
    if (!shown.has(id)) {
      shown.set(id, make(id));
      track.append(shown.get(id));
    }
    const item = shown.get(id);
    const [x, y] = at(position);
    item.style.transform = `translate(${x}px, ${y}px)`;
    mark(item, entry, position);
    thumbnail(entry, item.show);
  }
  const seen = shown.get(focus);
  if (seen) list.setAttribute('aria-activedescendant', seen.id);
  list.setAttribute('aria-label', `${length} pictures of ${store.start?.folder ?? 'the folder'}`);
}

function make(id) {
  const picture = element('img', { alt: '', draggable: 'false' });
  const item = element('div', {
    class: 'frame', role: 'option', id: `strip-${id}`,
    onclick: (event) => press(id, event), ondblclick: () => openFocused(),
  }, element('span', { class: 'thumb' }, picture), element('span', { class: 'caption' }),
  element('span', { class: 'rating', 'aria-hidden': 'true' }),
  element('span', { class: 'badges', 'aria-hidden': 'true' }));
  let last;
  let isEdited = false;
  item.show = async (url, edit) => {
    // What is shown stays until the one with newer edits is here.
    if (url === last || (isEdited && !edit && pictures.entry(id)?.hasSettings)) return;
    [last, isEdited] = [url, Boolean(edit)];
    item.classList.toggle('is-broken', !url);
    if (!url) return;
    if (picture.src) await Object.assign(new Image(), { src: url }).decode().catch(() => {});
    if (last === url) picture.src = url;
  };
  return item;
}

function mark(item, entry, position) {
  const { id, name, problem, rating, pick } = entry;
  const picture = store.opened.get(id);
  const isWaiting = picture?.status ? !picture.isKept : isPending(id);
  const hasSettings = picture?.document ? Object.keys(picture.saved).length > 0 : entry.hasSettings;
  item.setAttribute('aria-selected', String(store.selection.includes(id)));
  item.setAttribute('aria-posinset', String(position + 1));
  item.setAttribute('aria-setsize', String(pictures.length));
  for (const [name, is] of Object.entries({
    open: wanted === id, focus: focus === id, guided: guide?.id === id,
    rejected: pick === 'rejected',
  })) item.classList.toggle(`is-${name}`, is);
  const label = [
    name, rating > 0 ? `${rating} stars` : '', pick ?? '', hasSettings ? 'has settings' : '',
    isWaiting ? 'not in its sidecar yet' : '', problem ?? '',
  ].filter(Boolean).join(', ');
  if (item.ariaLabel === label) return;
  item.ariaLabel = label;
  item.title = problem ? `${name}: ${problem}` : name;
  const [, caption, stars, badges] = item.children;
  caption.textContent = name;
  stars.textContent = '★'.repeat(Math.max(0, rating));
  badges.replaceChildren(...[
    problem && element('b', { class: 'problem' }, '!'),
    pick && element('b', { class: pick }, pick === 'picked' ? '⚑' : '✕'),
    isWaiting && element('i', { class: 'waiting', title: 'Not in its sidecar yet' }),
    hasSettings && icon('settings')].filter(Boolean));
}

function press(id, event) {
  list.focus({ preventScroll: true });
  if (event.ctrlKey || event.metaKey) {
    const isSelected = store.selection.includes(id);
    if (isSelected && id === wanted && !isGrid()) return;
    select(isSelected ? store.selection.filter((other) => other !== id)
      : [...store.selection, id]);
    focus = anchor = id;
    draw();
  } else if (isGrid() && focus === id && matchMedia('(pointer: coarse)').matches) {
    openFocused();
  } else {
    go(pictures.position(id), { isRange: event.shiftKey });
  }
}

/** Selects pictures; outside of the grid the open one always is. */
function select(ids) {
  store.selection = pictures.sorted([...new Set(isGrid() ? ids : [...ids, wanted])]);
  emit('selection');
}

/** Goes to a position: opens it, or in the grid selects it; `isRange` selects all up to there. */
function go(position, { isRange = false, isHeld = false } = {}) {
  const entry = pictures.at(Math.min(pictures.length - 1, Math.max(0, position)));
  if (!entry) return;
  if (isRange) {
    focus = entry.id;
    const ends = [anchor, focus].map(pictures.position).sort((a, b) => a - b);
    select(pictures.all().slice(Math.max(0, ends[0]), ends[1] + 1));
  } else if (guide) {
    guide.take(entry);
  } else if (isGrid()) {
    focus = anchor = entry.id;
    select([entry.id]);
  } else {
    show(entry, isHeld);
  }
  follow(entry.id);
  draw();
}

let timer;

/** Opens a picture; while keys are held only the last one. */
export function show(entry, isHeld = false) {
  focus = anchor = wanted = entry.id;
  pictures.setOpen(wanted);
  select([wanted]);
  follow(wanted);
  draw();
  clearTimeout(timer);
  if (store.picture?.id === wanted) return;
  timer = setTimeout(() => open(entry.id, entry.name), isHeld ? 120 : 0);
}

function openFocused() {
  const entry = pictures.entry(focus);
  if (!isGrid() || !entry) return;
  endMode();
  show(entry);
}

/** Goes `by` pictures on. */
export function step(by, { isHeld = false } = {}) {
  if (guide) guide.step(by);
  else go(pictures.position(focus) + by, { isHeld });
}

/** Selects all pictures that are shown. */
export async function selectAll() {
  await listed;
  select(pictures.all());
  draw();
}

/** Scrolls to a picture. */
function follow(id) {
  const { each, line, axis, view } = layout(list);
  const spare = isGrid() ? 0 : line;
  const from = Math.floor(pictures.position(id) / each) * line;
  if (from - spare < list[axis]) list[axis] = from - spare;
  else if (from + line + spare > list[axis] + view) list[axis] = from + line + spare - view;
}

list.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
list.addEventListener('wheel', (event) => {
  // A wheel that only turns up and down moves the strip, too.
  if (isGrid() || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
  event.preventDefault();
  list.scrollLeft += event.deltaY * (event.deltaMode === 1 ? 32 : 1);
}, { passive: false });
list.addEventListener('keydown', (event) => {
  const { each, line, view } = layout(list);
  const screen = Math.max(1, Math.floor(view / line) - (isGrid() ? 0 : 1)) * each;
  const { length } = pictures;
  const way = {
    ArrowLeft: -1, ArrowRight: 1, PageUp: -screen, PageDown: screen, Home: -length, End: length,
    ...(isGrid() ? { ArrowUp: -each, ArrowDown: each } : {}),
  }[event.key];
  if (way && guide) {
    guide.step(way);
  } else if (way) {
    go(pictures.position(focus) + way, { isRange: event.shiftKey, isHeld: event.repeat });
  } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
    selectAll();
  } else if (event.key === 'Enter' && isGrid()) {
    openFocused();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});
new ResizeObserver(() => draw()).observe(list);

let wasGrid = false;
onMode(() => {
  if (wasGrid === isGrid()) return;
  wasGrid = isGrid();
  // Back in the strip the open picture is what is worked on; several stay selected with it.
  if (!wasGrid) {
    focus = anchor = wanted;
    select(store.selection.length > 1 ? store.selection : []);
  }
  list.ariaOrientation = wasGrid ? 'vertical' : 'horizontal';
  follow(focus);
  draw();
  list.focus({ preventScroll: true });
});

/** The picture nearest to where `id` was in the list `before`. */
function neighbour(id, before) {
  const at = before.findIndex((entry) => entry.id === id);
  const isThere = (entry) => pictures.position(entry.id) >= 0;
  return before.slice(at + 1).find(isThere) ?? before.slice(0, Math.max(0, at)).findLast(isThere)
    ?? pictures.at(0);
}

// What is seen stays where it is, whatever comes or goes before it.
on('listed', ({ before, isChosen }) => {
  const { each, line, axis } = layout(list);
  const from = list[axis];
  const first = Math.floor(from / line) * each;
  draw();
  const now = pictures.position(before[first]?.id);
  if (isChosen) follow(focus);
  else if (now >= 0) list[axis] = from + (Math.floor(now / each) - first / each) * line;
  if (focus !== null && pictures.position(focus) < 0) {
    focus = anchor = neighbour(focus, before)?.id ?? null;
  }
  if (store.selection.some((id) => !pictures.entry(id))) select(store.selection);
  const gone = before.find(({ id }) => id === wanted);
  if (gone && !pictures.entry(wanted)) {
    const other = pictures.named(gone.name);
    say(`${gone.name} is ${other ? 'another picture now' : 'no longer in the folder'}.`);
    const next = other ?? neighbour(wanted, before);
    if (next) show(next);
  }
  draw();
});

const begun = new Promise((done) => { const end = on('listed', () => { end(); done(); }); });

on('start', async () => {
  draw();
  await begun;
  if (pictures.first) nameFirst(pictures.first.id);
  // The picture that the address names may be further on.
  if (firstId && !pictures.entry(firstId)) await listed;
  if (store.start.count === 0) {
    emit('failed', { error: new Error(`There are no raws in ${store.start.folder}.`) });
    return;
  }
  // A hand may have been faster.
  if (wanted !== null) return;
  if (firstId && !pictures.entry(firstId)) {
    say('The picture of this address is no longer in the folder, or was replaced by another one.');
  }
  const entry = pictures.entry(firstId) ?? pictures.first;
  if (entry) show(entry);
});
for (const name of ['document', 'selection']) on(name, draw);
on('values', ({ isLive }) => { if (!isLive) draw(); });
