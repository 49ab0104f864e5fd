// Small pictures for the film strip: a few at a time, those that are seen first, so that they never
// stand in the way of the picture that is worked on. With edits they are rendered, one at a time
// while nothing else is.

import { firstPreview } from './preview.js';
import { api } from './protocol.js';
import { store } from './store.js';

/** Browsers open six connections to a server; events and renderings need theirs. */
const atOnce = 3;
const most = 600;
/** Milliseconds after which it is looked again whether nothing else is rendered. */
const pause = 400;

/** URLs by key, the longest unused first; null where there is none. */
const kept = new Map();
/** Requests by key, `{id, edit, done}`. */
const waiting = new Map();
const running = new Map();

let isHeld = true;
firstPreview.then(() => {
  isHeld = false;
  for (let n = 0; n < atOnce; n += 1) next();
});

/**
 * Calls `done(url, edit)` with a small picture, null where there is none: at once where it is known,
 * and again when there is the one with edits.
 */
export function thumbnail({ id, hasSettings, revision }, done) {
  const edit = hasSettings ? revision : null;
  if (edit && want(id, edit, done)) return;
  want(id, null, done);
}

/** Returns whether the picture is there. */
function want(id, edit, done) {
  const key = edit ? `${id} ${edit}` : id;
  if (kept.has(key)) {
    const url = kept.get(key);
    kept.delete(key);
    kept.set(key, url);
    // One with edits that cannot be made is the one without.
    if (url || !edit) done(url, edit);
    return Boolean(url);
  }
  const request = running.get(key);
  if (request && !request.abort.signal.aborted) {
    request.done = done;
  } else {
    waiting.set(key, { id, edit, done });
    next();
  }
  return false;
}

/** Forgets what is waited for, except the pictures of `ids`. */
export function only(ids) {
  for (const [key, { id }] of waiting) if (!ids.has(id)) waiting.delete(key);
  for (const { id, abort } of running.values()) if (!ids.has(id)) abort.abort();
}

const viewer = document.getElementById('viewer');
const isBusy = () => running.size > 0 || store.isMoving || viewer.ariaBusy === 'true';
let timer;

async function next() {
  if (isHeld || running.size >= atOnce || !waiting.size) return;
  let found = [...waiting].find(([, { edit }]) => !edit);
  if (!found) {
    clearTimeout(timer);
    timer = setTimeout(next, pause);
    if (isBusy()) return;
    [found] = waiting;
  }
  const [key, request] = found;
  waiting.delete(key);
  request.abort = new AbortController();
  running.set(key, request);
  try {
    const blob = await api.thumbnail(request.id, 240, request.edit, request.abort.signal);
    keep(key, URL.createObjectURL(blob));
    request.done(kept.get(key), request.edit);
  } catch (error) {
    // A server that is away, or has too much to do, is asked again when the strip is next drawn.
    if (error.status && error.code !== 'busy') {
      keep(key, null);
      if (!request.edit) request.done(null);
    }
  } finally {
    running.delete(key);
    next();
  }
}

function keep(key, url) {
  kept.set(key, url);
  if (kept.size <= most) return;
  const [oldest, old] = kept.entries().next().value;
  if (old) URL.revokeObjectURL(old);
  kept.delete(oldest);
}
