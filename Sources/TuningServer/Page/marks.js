// Stars, picks and rejects: marks the selected pictures, and takes that back.

import { step } from './filmstrip.js';
import { ask, say } from './messages.js';
import { mode } from './modes.js';
import { pictures } from './pictures.js';
import { api } from './protocol.js';
import { remembered } from './remembered.js';
import { store } from './store.js';
import { counted } from './toolparts.js';

const words = { picked: 'Picked', rejected: 'Rejected', null: 'Neither picked nor rejected' };
const inWords = ({ rating, pick }) => (
  rating === undefined ? words[pick] : rating ? '★'.repeat(rating) : 'No stars');

/** Whether the next picture is opened after one is marked. */
export const isAdvancing = () => remembered('advance', false);

/** Sets `{rating}` or `{pick}` of the selected pictures; of the open one beside another. */
export function mark(change) {
  const isPair = mode() === 'pair';
  const ids = isPair ? [pictures.open] : store.selection;
  if (!ids.length) return;
  if (ids.length === 1 && isAdvancing() && !isPair) step(1);
  const name = ids.length === 1 ? pictures.entry(ids[0])?.name : counted(ids.length, 'picture');
  set([{ ids, ...change }], `${inWords(change)}: ${name}`);
}

/** Makes changes `{ids, rating}` or `{ids, pick}`, and says `text`. */
export async function set(changes, text) {
  const before = changes.flatMap(({ ids, ...change }) => {
    const [name] = Object.keys(change);
    const old = new Map();
    for (const id of ids) {
      const value = pictures.entry(id)?.[name] ?? null;
      old.set(value, [...old.get(value) ?? [], id]);
    }
    return [...old].map(([value, same]) => ({ ids: same, [name]: value }));
  });
  show(changes);
  const actions = [{ label: 'Undo', run: () => set(before, 'Undone') }];
  say(text, text === 'Undone' ? { key: 'mark', kind: 'good' }
    : { key: 'mark', kind: 'good', actions, stays: false });
  const fail = (reason) => say(`Not marked: ${reason}`, { key: 'mark', kind: 'bad' });
  try {
    for (const change of changes) {
      const { failed } = await api.marks(change);
      if (!failed.length) continue;
      const ids = new Set(failed.map(({ id }) => id));
      show(before.map((old) => ({ ...old, ids: old.ids.filter((id) => ids.has(id)) })));
      fail(failed[0].error);
    }
  } catch (error) {
    show(before);
    fail(error.message);
  }
}

function show(changes) {
  for (const { ids, ...change } of changes) pictures.change(ids, change);
}

/** Writes the marks of the selected pictures into XMP sidecars, after asking. */
export async function writeXMP() {
  const ids = store.selection;
  const isSure = await ask({
    title: `Write the ratings of ${counted(ids.length, 'picture')} to XMP?`,
    content: ['Stars and rejects are written into the XMP sidecars beside the raws, where other '
      + 'programs find them. Nothing else in these files changes.'],
    buttons: [{ label: 'Cancel', value: false }, { label: 'Write', value: true, isPrimary: true }],
  });
  if (!isSure) return;
  try {
    const { done, failed } = await api.marksToXMP(ids);
    const text = `Ratings written to XMP: ${counted(done.length, 'picture')}.`;
    if (!failed.length) say(text, { key: 'xmp', kind: 'good' });
    else say(`${text} ${failed.length} failed: ${failed[0].error}`, { key: 'xmp', kind: 'bad' });
  } catch (error) {
    say(`Not written to XMP: ${error.message}`, { key: 'xmp', kind: 'bad' });
  }
}
