// Small pictures for the film strip: a few at a time, those that are seen first, so that they never
// stand in the way of the picture that is worked on.

import { firstPreview } from './preview.js';
import { api } from './protocol.js';

/** Browsers open six connections to a server; events and renderings need theirs. */
const atOnce = 3;
const most = 600;

/** URLs by the identity of the picture, the longest unused first; null where there is none. */
const kept = new Map();
const waiting = new Map();
const running = new Map();

let isHeld = true;
firstPreview.then(() => {
  isHeld = false;
  for (let n = 0; n < atOnce; n += 1) next();
});

/** Calls `done(url)` with a small picture, null where there is none. At once where it is known. */
export function thumbnail(id, done) {
  if (kept.has(id)) {
    const url = kept.get(id);
    kept.delete(id);
    kept.set(id, url);
    done(url);
  } else if (running.has(id) && !running.get(id).abort.signal.aborted) {
    running.get(id).done = done;
  } else {
    waiting.set(id, done);
    next();
  }
}

/** Forgets what is waited for, except the pictures of `ids`. */
export function only(ids) {
  for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id);
  for (const [id, { abort }] of running) if (!ids.has(id)) abort.abort();
}

async function next() {
  if (isHeld || running.size >= atOnce) return;
  const [first] = waiting;
  if (!first) return;
  const [id, done] = first;
  waiting.delete(id);
  const abort = new AbortController();
  const request = { abort, done };
  running.set(id, request);
  try {
    keep(id, URL.createObjectURL(await api.thumbnail(id, 240, abort.signal)));
    request.done(kept.get(id));
  } catch (error) {
    // A server that is away is asked again when the strip is next drawn.
    if (error.status) {
      keep(id, null);
      request.done(null);
    }
  } finally {
    running.delete(id);
    next();
  }
}

function keep(id, url) {
  kept.set(id, url);
  if (kept.size <= most) return;
  const [oldest, old] = kept.entries().next().value;
  if (old) URL.revokeObjectURL(old);
  kept.delete(oldest);
}
