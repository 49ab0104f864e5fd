// Opens pictures: the embedded preview is asked for at once, the raw beside it.

import { told } from './edits.js';
import { api, ConnectionError } from './protocol.js';
import { emit, store } from './store.js';

let current;

/** Opens the picture of this identity. */
export async function open(id, name) {
  current?.abort();
  const mine = current = new AbortController();
  store.show(null);
  emit('opening', { id, name });
  history.replaceState(null, '', `#${id}`);
  try {
    // What was just done to it is part of what is answered.
    if (store.opened.get(id)?.queued) await told();
    const { document, edit, facts, state, picture: entry } = await api.open(id, mine.signal);
    if (mine.signal.aborted) return;
    const picture = store.known(id, entry?.name ?? name);
    Object.assign(picture, { facts, document });
    picture.take(state, edit.own);
    picture.own = edit.own;
    picture.adopt(edit);
    store.show(picture);
    emit('document');
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (error instanceof ConnectionError) failedByConnection = { id, name };
    if (error.code === 'another') emit('pictures');
    emit('failed', { id, name, error });
  }
}

let failedByConnection = null;

/** After the server was away: opens again what is open, or what could not be opened. */
export function reopen() {
  const target = failedByConnection ?? store.picture;
  failedByConnection = null;
  if (target) open(target.id, target.name);
}
