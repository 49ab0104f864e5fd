// Keeps the server's view of the properties in step with the values of the page.

import { api } from './protocol.js';
import { emit, on, store } from './store.js';

let current;
let timer;

/** Asks what the properties are at the values of now. */
export function refreshState() {
  clearTimeout(timer);
  timer = setTimeout(ask, 60);
}

async function ask() {
  const { picture } = store;
  if (!picture) return;
  current?.abort();
  const mine = current = new AbortController();
  const { own } = picture;
  try {
    const { state } = await api.state(picture.id, own, mine.signal);
    if (mine.signal.aborted) return;
    picture.take(state, own);
    if (store.picture === picture) emit('state');
  } catch {
    // The rendering of the same values says what is wrong.
  }
}

// Not while the hand moves: the picture needs the machine more.
on('values', ({ names, isLive }) => { if (!isLive || names.length === 0) refreshState(); });
