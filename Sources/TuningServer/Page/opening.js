// Opens pictures: the embedded preview is asked for at once, the raw beside it.

import { api, ConnectionError } from './protocol.js';
import { emit, isEqual, store } from './store.js';

let current;

/**
 * Opens the picture of this number. What was changed in this page and not saved stays; a document
 * that is another one on disk since then is a conflict.
 */
export async function open(id, name) {
  current?.abort();
  const mine = current = new AbortController();
  store.show(null);
  emit('opening', { id, name });
  history.replaceState(null, '', `#${id}`);
  try {
    const answer = await api.open(id, mine.signal);
    if (mine.signal.aborted) return;
    const picture = store.known(id, answer.picture?.name ?? name);
    const { document } = answer;
    picture.facts = answer.facts;
    picture.take(answer.state, document.own);
    if (!picture.isChanged) {
      picture.own = document.own;
      picture.document = document;
      picture.saved = document.own;
      picture.conflict = null;
    } else if (!picture.document) {
      picture.document = document;
    } else if (document.revision !== picture.document.revision
      && !isEqual(document.own, picture.own)) {
      meet(picture, document);
    }
    store.show(picture);
    emit('document');
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (error instanceof ConnectionError) failedByConnection = { id, name };
    emit('failed', { id, name, error });
  }
}

/** `document` came from disk while `picture` has changes that are not saved. */
export function meet(picture, document) {
  picture.conflict = document;
  // Whether the sidecar can be read is a fact, whoever's values are kept.
  picture.document = { ...picture.document, problem: document.problem };
}

let failedByConnection = null;

/** After the server was away: opens again what is open, or what could not be opened. */
export function reopen() {
  const target = failedByConnection ?? store.picture;
  failedByConnection = null;
  if (target) open(target.id, target.name);
}
