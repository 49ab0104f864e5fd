// The pictures of the folder. Only those that are seen have elements, however many there are.

import { element, icon } from './element.js';
import { isPending } from './failures.js';
import { open } from './opening.js';
import { firstId, nameFirst } from './preview.js';
import { say } from './messages.js';
import { api } from './protocol.js';
import { emit, on, store } from './store.js';
import { only, thumbnail } from './thumbnails.js';

const strip = document.getElementById('filmstrip');
const track = element('div', { class: 'track' });
const list = element('div', {
  class: 'strip', role: 'listbox', tabindex: '0', 'aria-multiselectable': 'true',
  'aria-orientation': 'horizontal', 'aria-label': 'Pictures of the folder',
}, track);
const status = element('p', { class: 'strip-status', 'aria-live': 'polite' });
strip.append(list, status);

/** Pictures that are asked for at once. */
const batch = 200;
/** Width of a picture with its gap, CSS pixels; the style sheet has the same. */
const pitch = 116;

let count = 0;
/** Answers of the server by their place in the folder. */
const entries = new Map();
/** The places of pictures by their identities. */
const places = new Map();
/** Requests by their first place, those that were answered, too. */
const asked = new Map();
/** Elements by place. */
const shown = new Map();
/** Place that the arrow keys start from, and where a range of selected ones began. */
let focus = 0;
let anchor = 0;
let wanted = null;

function load(from) {
  const start = Math.floor(from / batch) * batch;
  if (!asked.has(start)) asked.set(start, loadBatch(start));
  return asked.get(start);
}

async function loadBatch(start) {
  try {
    const answer = await api.pictures(start, batch);
    // Others may have been there before.
    for (let index = start; index < start + batch; index += 1) {
      const { id } = entries.get(index) ?? {};
      if (places.get(id) === index) places.delete(id);
      entries.delete(index);
    }
    answer.pictures.forEach((entry, index) => {
      entries.set(start + index, entry);
      places.set(entry.id, start + index);
    });
    setCount(answer.count);
    draw();
  } catch {
    asked.delete(start);
  }
}

function setCount(now) {
  count = now;
  track.style.width = `${count * pitch}px`;
  strip.hidden = Boolean(store.start?.single) || count <= 1;
  tellStatus();
}

function tellStatus() {
  const many = store.selection.length;
  status.textContent = many > 1 ? `${many} of ${count} selected` : '';
  list.setAttribute('aria-label', `${count} pictures of ${store.start?.folder ?? 'the folder'}`);
}

function draw() {
  const first = Math.max(0, Math.floor(list.scrollLeft / pitch) - 3);
  const last = Math.min(count, Math.ceil((list.scrollLeft + list.clientWidth) / pitch) + 3);
  for (const [index, item] of shown) {
    if (index >= first && index < last) continue;
    item.remove();
    shown.delete(index);
  }
  const visible = new Set();
  for (let index = first; index < last; index += 1) {
    const entry = entries.get(index);
    if (!entry) {
      load(index);
      continue;
    }
    visible.add(entry.id);
    let item = shown.get(index);
    if (!item || item.entry !== entry) {
      item?.remove();
      item = make(entry, index);
      shown.set(index, item);
      track.append(item);
    }
    markItem(item, entry, index);
  }
  only(visible);
  for (const item of shown.values()) item.ask();
  list.setAttribute('aria-activedescendant', `strip-${focus}`);
}

function make(entry, index) {
  const picture = element('img', { alt: '', draggable: 'false' });
  const item = element('div', {
    class: 'frame', role: 'option', id: `strip-${index}`, 'aria-posinset': String(index + 1),
    onclick: (event) => press(index, event),
  }, element('span', { class: 'thumb' }, picture),
  element('span', { class: 'caption' }, entry.name),
  element('span', { class: 'rating', 'aria-hidden': 'true' }, stars(entry.rating)),
  element('span', { class: 'badges', 'aria-hidden': 'true' }));
  item.style.transform = `translateX(${index * pitch}px)`;
  item.entry = entry;
  item.title = entry.problem ?? entry.name;
  item.ask = () => {
    if (picture.src || item.classList.contains('is-broken')) return;
    thumbnail(entry.id, (url) => {
      if (url) picture.src = url;
      else item.classList.add('is-broken');
    });
  };
  return item;
}

const stars = (rating) => (rating < 0 ? '✕' : '★'.repeat(rating));

function markItem(item, entry, index) {
  const isOpen = wanted === entry.id;
  const isSelected = store.selection.includes(entry.id);
  const picture = store.opened.get(entry.id);
  const isWaiting = picture?.status ? !picture.isKept : isPending(entry.id);
  const hasSettings = picture?.document ? Object.keys(picture.saved).length > 0 : entry.hasSettings;
  item.setAttribute('aria-selected', String(isSelected));
  item.setAttribute('aria-setsize', String(count));
  item.classList.toggle('is-open', isOpen);
  item.classList.toggle('is-focus', index === focus);
  item.classList.toggle('is-rejected', entry.rating < 0);
  if (entry.problem) item.classList.add('is-broken');
  item.setAttribute('aria-label', [
    entry.name, entry.rating > 0 ? `${entry.rating} stars` : entry.rating < 0 ? 'rejected' : '',
    hasSettings ? 'has settings' : '', isWaiting ? 'not in its sidecar yet' : '', entry.problem ?? '',
  ].filter(Boolean).join(', '));
  const badges = item.querySelector('.badges');
  const key = `${isWaiting}${hasSettings}`;
  if (badges.dataset.key === key) return;
  badges.dataset.key = key;
  badges.replaceChildren(...[isWaiting && element('i', { class: 'waiting', title: 'Not in its sidecar yet' }),
    hasSettings && icon('settings')].filter(Boolean));
}

function press(index, event) {
  list.focus({ preventScroll: true });
  if (event.shiftKey) {
    selectRange(anchor, index);
    focus = index;
    draw();
  } else if (event.ctrlKey || event.metaKey) {
    const { id } = entries.get(index);
    const isSelected = store.selection.includes(id);
    if (isSelected && id === wanted) return;
    select(isSelected ? store.selection.filter((other) => other !== id)
      : [...store.selection, id]);
    [focus, anchor] = [index, index];
    draw();
  } else {
    show(index);
  }
}

/** Selects pictures by their identities; the open one always is. */
function select(ids) {
  const all = new Set(ids);
  if (wanted !== null) all.add(wanted);
  store.selection = [...all].sort((a, b) => places.get(a) - places.get(b));
  tellStatus();
  emit('selection');
}

function selectRange(from, to) {
  const ids = [];
  for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
    const entry = entries.get(index);
    if (entry) ids.push(entry.id);
  }
  select(ids);
}

let timer;

/** Opens a picture of the list. */
async function showEntry({ id }) {
  for (let from = 0; !places.has(id) && from < count; from += batch) await load(from);
  show(places.get(id));
}
export { showEntry as show };

/** Opens the picture at this place; while keys are held only the last one. */
async function show(index, { isHeld = false } = {}) {
  if (index < 0 || index >= count) return;
  if (!entries.has(index)) await load(index);
  const entry = entries.get(index);
  if (!entry) return;
  [focus, anchor] = [index, index];
  wanted = entry.id;
  select([entry.id]);
  follow(index);
  draw();
  clearTimeout(timer);
  if (store.picture?.id === entry.id) return;
  if (isHeld) timer = setTimeout(() => open(entry.id, entry.name), 120);
  else open(entry.id, entry.name);
}

/** Opens the picture that is `by` places on. */
export function step(by, { isHeld = false } = {}) {
  const now = places.get(wanted) ?? focus;
  const next = Math.min(count - 1, Math.max(0, now + by));
  if (next !== now) show(next, { isHeld });
}

/** Selects all pictures of the folder. */
export async function selectAll() {
  for (let from = 0; from < count; from += batch) await load(from);
  select([...entries.values()].map((entry) => entry.id));
  draw();
}

function follow(index) {
  const left = index * pitch;
  const space = pitch;
  if (left - space < list.scrollLeft) list.scrollLeft = left - space;
  else if (left + pitch + space > list.scrollLeft + list.clientWidth) {
    list.scrollLeft = left + pitch + space - list.clientWidth;
  }
}

list.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
list.addEventListener('wheel', (event) => {
  // A wheel that only turns up and down moves the strip, too.
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
  event.preventDefault();
  list.scrollLeft += event.deltaY * (event.deltaMode === 1 ? 32 : 1);
}, { passive: false });
list.addEventListener('keydown', (event) => {
  const screen = Math.max(1, Math.floor(list.clientWidth / pitch) - 1);
  const way = {
    ArrowLeft: -1, ArrowRight: 1, PageUp: -screen, PageDown: screen, Home: -count, End: count,
  }[event.key];
  if (way) {
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(count - 1, Math.max(0, focus + way));
    if (event.shiftKey) {
      focus = next;
      selectRange(anchor, focus);
      follow(focus);
      draw();
    } else {
      show(next, { isHeld: event.repeat });
    }
  } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.stopPropagation();
    selectAll();
  }
});
// It may have been hidden.
new ResizeObserver(() => { follow(focus); draw(); }).observe(list);

/** Asks again for all that is known of the folder. */
function again() {
  const known = [...asked.keys()];
  asked.clear();
  for (const start of known.length ? known : [0]) load(start);
}

// Asked for before anything else is known.
load(0);

on('start', async () => {
  setCount(store.start.count);
  await load(0);
  if (count === 0) {
    emit('failed', { error: new Error(`There are no raws in ${store.start.folder}.`) });
    return;
  }
  if (entries.has(0)) nameFirst(entries.get(0).id);
  // The picture that the address names may be further on.
  for (let from = batch; firstId && !places.has(firstId) && from < count; from += batch) {
    await load(from);
  }
  // A hand may have been faster.
  if (wanted !== null) return;
  if (firstId && !places.has(firstId)) {
    say('The picture of this address is no longer in the folder, or was replaced by another one.');
  }
  show(places.get(firstId) ?? 0);
});
on('server.pictures', again);
on('pictures', again);
on('connection', ({ isBack }) => { if (isBack) again(); });
on('document', draw);
on('values', ({ isLive }) => { if (!isLive) draw(); });
on('server.edit', ({ id, keeping, isSet }) => {
  const place = places.get(id);
  if (place === undefined) return;
  if (keeping === 'sidecar') entries.set(place, { ...entries.get(place), hasSettings: isSet });
  draw();
});
