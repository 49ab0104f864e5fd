// The requests of Docs/tune.md, and the server's events.

import { thumbnailURL } from './preview.js';

/** Names this page to the server; not `randomUUID`, which plain HTTP beyond loopback lacks. */
export const pageName = Array.from(crypto.getRandomValues(new Uint8Array(12)),
  (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An answer that is an error: `message` is for people, `code` and `answer` are for the page. */
export class ServerError extends Error {
  constructor(status, answer) {
    super(answer.error ?? `The server answered ${status}.`);
    this.status = status;
    this.code = answer.code ?? '';
    this.answer = answer;
  }
}

/** That the server does not answer. */
export class ConnectionError extends Error {
  constructor() { super('rawdev tune does not answer.'); }
}

let lost = () => {};

async function send(path, body, signal, keepalive = false) {
  const headers = { 'Rawdev-Page': pageName };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST', headers, signal, keepalive,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    lost();
    throw new ConnectionError();
  }
  if (answer.ok) return answer;
  throw new ServerError(answer.status, await answer.json().catch(() => ({})));
}

async function ask(path, body, signal) {
  return (await send(path, body, signal)).json();
}

/** The same for what is to arrive even where the page is just being left. */
async function deliver(path, body) {
  // Browsers take 64 KiB of such at a time.
  return (await send(path, body, undefined, JSON.stringify(body).length < 30000)).json();
}

/** The body of an answer of so many bytes, in half of the time that `arrayBuffer` takes. */
async function bytes(answer, count) {
  let reader;
  try {
    reader = answer.body.getReader({ mode: 'byob' });
  } catch {
    // Not in every browser.
    return new Uint8ClampedArray(await answer.arrayBuffer());
  }
  let memory = new Uint8Array(count);
  for (let from = 0; from < count;) {
    const { done, value } = await reader.read(new Uint8Array(memory.buffer, from));
    if (done) throw new ConnectionError();
    memory = new Uint8Array(value.buffer);
    from += value.byteLength;
  }
  return new Uint8ClampedArray(memory.buffer);
}

const picture = (id, what, body, signal) => ask(`/api/pictures/${id}/${what}`, body, signal);
const numbers = (text) => (text ?? '').split(' ').map(Number);

export const api = {
  start: () => ask('/api/start'),
  pictures: (from, count) => ask(`/api/pictures?from=${from}&count=${count}`),
  open: (id, signal) => picture(id, 'open', {}, signal),
  state: (id, own, signal) => picture(id, 'state', { own }, signal),
  light: (id, own, allowsDraft) => picture(id, 'light', { own, allowsDraft }),
  readout: (id, own, x, y, signal) => picture(id, 'readout', { own, x, y }, signal),
  auto: (id, own) => picture(id, 'auto', { own }),
  looks: () => ask('/api/looks'),
  keepLook: (title, own) => ask('/api/looks', { title, own }),
  removeLook: (id) => ask('/api/looks/remove', { id }),
  files: (id) => ask(`/api/pictures/${id}/files`),
  white: (id, own, x, y) => picture(id, 'white', { own, x, y }),
  document: (id) => ask(`/api/pictures/${id}/document`),
  step: (id, step) => deliver(`/api/pictures/${id}/steps`, step),
  move: (id, to) => deliver(`/api/pictures/${id}/move`, to),
  save: (id, decision = {}) => picture(id, 'save', decision),
  discard: (id) => picture(id, 'discard', {}),
  saveAll: () => ask('/api/save', {}),
  edits: () => ask('/api/edits'),
  recipesURL: '/api/recipes',
  recipe: (id, own, name) => picture(id, 'recipe', { own, name }),
  defaults: (id, own) => picture(id, 'defaults', { own }),
  snapshots: (id) => ask(`/api/pictures/${id}/snapshots`),
  keepSnapshot: (id, name, own) => picture(id, 'snapshots', { name, own }),
  paste: (request) => ask('/api/paste', request),
  develop: (request) => ask('/api/develop', request),
  cancel: (job) => ask(`/api/jobs/${job}/cancel`, {}),
  fileURL: (job, n) => `/api/jobs/${job}/files/${n}`,

  marks: (marks) => ask('/api/marks', marks),
  marksToXMP: (ids) => ask('/api/marks/xmp', { ids }),

  /** The bytes of a small JPEG: the embedded preview, or our rendering of the revision `edit`. */
  async thumbnail(id, side, edit, signal) {
    const url = thumbnailURL(id, side) + (edit ? `&edit=${encodeURIComponent(edit)}` : '');
    return (await send(url, undefined, signal)).blob();
  },

  /**
   * A rendering: `{size: [w, h], part: [x, y, w, h], whole: [w, h], headroom, isDraft,
   * bytes | blob}`; bytes of `rgba8`, else a blob.
   */
  async render(id, request, signal) {
    const answer = await send(`/api/pictures/${id}/render`, request, signal);
    const header = (name) => answer.headers.get(name);
    const result = {
      size: numbers(header('Rawdev-Size')), part: numbers(header('Rawdev-Part')),
      whole: numbers(header('Rawdev-Whole')), headroom: Number(header('Rawdev-Headroom') ?? 1),
      isDraft: header('Rawdev-Draft') === 'true',
    };
    if (request.form === 'rgba8') {
      result.bytes = await bytes(answer, 4 * result.size[0] * result.size[1]);
    } else {
      result.blob = await answer.blob();
    }
    return result;
  },
};

/**
 * Hears the server's events. `onConnection(state, message)` is told of `"connected"`, `"lost"` and
 * `"refused"`, when a server answers that is not the one that opened this page.
 */
export function listen(onEvent, onConnection) {
  let source;
  let isConnected = false;
  let timer;

  function connect() {
    clearTimeout(timer);
    timer = undefined;
    source?.close();
    source = new EventSource(`/api/events?page=${pageName}`);
    source.onopen = () => {
      if (isConnected) return;
      isConnected = true;
      onConnection('connected');
    };
    source.onmessage = (event) => onEvent(JSON.parse(event.data));
    source.onerror = () => tryAgain();
  }

  async function probe() {
    timer = undefined;
    try {
      const answer = await fetch('/api/pictures?from=0&count=1');
      if (answer.status === 403) {
        onConnection('refused');
        timer = setTimeout(probe, 3000);
      } else {
        connect();
      }
    } catch {
      timer = setTimeout(probe, 1000);
    }
  }

  function tryAgain() {
    source?.close();
    if (isConnected) onConnection('lost');
    isConnected = false;
    timer ??= setTimeout(probe, 500);
  }

  lost = tryAgain;
  addEventListener('pagehide', () => source?.close());
  connect();
}
