// The pictures of the folder as the server lists them, and which of them are shown in which order.

import { latest } from './latest.js';
import { api } from './protocol.js';
import { remember, remembered } from './remembered.js';
import { emit, isEqual, on } from './store.js';

const noFilter = { stars: 0, isPicked: false, hidesRejects: false, isEdited: false };
const orders = {
  date: (a, b) => (a.date ?? '~').localeCompare(b.date ?? '~'),
  rating: (a, b) => rank(b) - rank(a),
};
const rank = ({ rating, pick }) => (pick === 'rejected' ? -1 : rating ?? 0);

/** What the server said, in the order of names; the end is missing until it is loaded. */
let entries = [];
/** Indices in `entries` by identity, and positions in `shown`. */
let indices = new Map();
let positions = new Map();
let shown = [];

export const pictures = {
  /** How many there are in the folder, and how many of them pass the filter. */
  count: 0,
  matching: 0,
  filter: { ...noFilter },
  /** "name", "date" or "rating". */
  sort: remembered('sort', 'name'),
  /** The identity of the open picture, which is shown even if it does not pass. */
  open: null,

  get isFiltered() { return !isEqual(pictures.filter, noFilter); },
  get length() { return isPlain() ? pictures.count : shown.length; },
  /** The first one of the folder. */
  get first() { return entries[0]; },
  at: (position) => shown[position],
  /** The position among those that are shown; -1 for others. */
  position: (id) => positions.get(id) ?? -1,
  entry: (id) => entries[indices.get(id)],
  named: (name) => entries.find((entry) => entry.name === name),
  /** `ids` in the order of the folder, without those that are not in it. */
  sorted: (ids) => ids.filter((id) => indices.has(id))
    .sort((a, b) => indices.get(a) - indices.get(b)),
  all: () => shown.map(({ id }) => id),

  /** Changes the filter; without changes takes it off. */
  choose(changes = noFilter) {
    Object.assign(pictures.filter, changes);
    arrange({ isChosen: true });
  },
  sortBy(sort) {
    pictures.sort = sort;
    remember('sort', sort);
    arrange({ isChosen: true });
  },
  /** Another picture is open. */
  setOpen(id) {
    pictures.open = id;
    if (pictures.isFiltered) arrange();
  },
  /** Changes what is known of pictures. */
  change(ids, changes) {
    for (const index of ids.map((id) => indices.get(id)).filter((each) => each !== undefined)) {
      entries[index] = { ...entries[index], ...changes };
    }
    arrange();
  },
};

const isPlain = () => pictures.sort === 'name' && !pictures.isFiltered;

function passes({ rating, pick, hasSettings }) {
  const { stars, isPicked, hidesRejects, isEdited } = pictures.filter;
  return (rating ?? 0) >= stars && (!isPicked || pick === 'picked')
    && (!hidesRejects || pick !== 'rejected') && (!isEdited || hasSettings);
}

function arrange({ isChosen = false } = {}) {
  const before = shown;
  pictures.matching = pictures.isFiltered ? entries.filter(passes).length : pictures.count;
  shown = entries.filter((entry) => entry.id === pictures.open || passes(entry));
  if (orders[pictures.sort]) shown.sort(orders[pictures.sort]);
  positions = new Map(shown.map(({ id }, position) => [id, position]));
  emit('listed', { before, isChosen });
}

function take(list) {
  entries = [...list];
  indices = new Map(entries.map(({ id }, index) => [id, index]));
  arrange();
}

/** Loads the list; all of it has been asked for again when it is taken, except the first time. */
async function load() {
  const isFirst = entries.length === 0;
  const list = [];
  for (let count = 1; list.length < count;) {
    const answer = await api.pictures(list.length, list.length ? 1000 : 200);
    list.push(...answer.pictures);
    count = answer.pictures.length ? answer.count : list.length;
    pictures.count = count;
    if (isFirst || list.length >= count) take(list);
  }
}

/** Fulfilled when the list is here. */
export const listed = load().catch(() => {});

const again = latest(load, 100);
for (const name of ['server.pictures', 'pictures', 'server.edits']) on(name, again);
on('connection', ({ isBack }) => { if (isBack) again(); });

const edited = new Set();
/** Asks for what is new of edited pictures: for one alone, for more with all. */
const refresh = latest(async () => {
  const [id] = edited;
  const isOne = edited.size === 1;
  edited.clear();
  const { pictures: [entry] } = isOne ? await api.pictures(indices.get(id), 1) : { pictures: [] };
  if (entry?.id === id) pictures.change([id], entry);
  else await load();
}, 700);
on('server.edit', ({ id, keeping, isSet }) => {
  if (!indices.has(id)) return;
  const { hasSettings } = pictures.entry(id);
  pictures.change([id],
    { revision: null, hasSettings: keeping === 'sidecar' ? isSet : hasSettings });
  edited.add(id);
  refresh();
});
