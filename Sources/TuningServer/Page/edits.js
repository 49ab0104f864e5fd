// Tells the server of each gesture at once, in their order, and takes what it says of the edits.
// Gestures wait here only while it does not answer.

import { api, ConnectionError } from './protocol.js';
import { remembered } from './remembered.js';
import { emit, isEqual, on, store } from './store.js';
import { stepSender } from './sync.js';

/** Whether edits are saved by themselves; else only when a person says so. */
export const isAutomatic = () => remembered('autosave', true);

/** Gestures that the server does not know of yet, `{picture, send}`, and who waits for them. */
const queue = [];
const waiting = [];
let isRunning = false;

/** What is called where the server does not take a gesture: `(picture, gesture, error)`. */
let refused = () => {};
export function onRefused(handler) { refused = handler; }

/** Whether there are gestures that the server does not know of. */
export const isBehind = () => queue.length > 0;

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(9)),
  (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A key for a step of several pictures. */
export const groupKey = newKey;

/** The open picture has another step, which made its values of those `from`. */
export function record(picture, title, from = picture.steps[picture.at].own) {
  if (isEqual(from, picture.own)) return;
  const step = { key: newKey(), title, own: picture.own };
  const send = stepSender(picture, from, step.own);
  if (send !== api.step) step.group = step.key;
  picture.steps = [...picture.steps.slice(0, picture.at + 1), step];
  picture.at = picture.steps.length - 1;
  enqueue(picture, { ...step, from, held: !isAutomatic() }, send);
}

/** Tells of a gesture again that was refused. */
export function again(picture, gesture) { enqueue(picture, gesture, api.step); }

/** Goes to another step of the history of `picture`. */
export function move(picture, place) {
  picture.at = place;
  enqueue(picture, { key: picture.steps[place].key, held: !isAutomatic() }, api.move);
}

function enqueue(picture, body, send) {
  picture.queued += 1;
  queue.push({ picture, body, send });
  run();
}

async function run() {
  if (isRunning) return;
  isRunning = true;
  while (queue.length) {
    const { picture, body, send } = queue[0];
    let answer = null;
    let failure = null;
    try {
      answer = await send(picture.id, body);
    } catch (error) {
      // It is told again once the server is back; known by its key, it is one step.
      if (error instanceof ConnectionError) break;
      if (error.code === 'busy') {
        await new Promise((resolve) => { setTimeout(resolve, 250); });
        continue;
      }
      failure = error;
    }
    queue.shift();
    picture.queued -= 1;
    if (failure) await refused(picture, body, failure);
    else taken(picture, answer);
  }
  isRunning = false;
  if (!queue.length) for (const done of waiting.splice(0)) done();
}

/** The server has all of `picture` that was done here. */
function taken(picture, { status, own }) {
  picture.status = status;
  if (!picture.queued && !isEqual(own, picture.own)) refresh(picture);
  emit('document');
}

/** Fulfilled once the server knows of all steps that were made. */
const idle = () => (queue.length
  ? new Promise((done) => { waiting.push(done); }) : Promise.resolve());

/** The same with what the hand is about to do. */
export function told() {
  store.endGesture();
  return idle();
}

/** Goes on after the server was away. */
export function resume() {
  run();
  return told();
}

const refreshing = new Map();

/** Reads the edit and the documents of `picture` again, where it is open. */
export async function refresh(picture) {
  if (refreshing.has(picture)) {
    refreshing.set(picture, true);
    return;
  }
  refreshing.set(picture, false);
  try {
    const { document, edit } = await api.document(picture.id);
    adopt(picture, document, edit);
  } catch {
    // What is wrong with the picture is said by its rendering.
  }
  const isAgain = refreshing.get(picture);
  refreshing.delete(picture);
  if (isAgain) refresh(picture);
}

function adopt(picture, document, edit) {
  // What is being told is answered, and read then.
  if (picture.queued) return;
  picture.document = document;
  const { key: last } = picture.steps.at(-1);
  const { own } = picture.steps[picture.at];
  const isNew = !isEqual(edit.own, own);
  // Under the hand nothing moves: the end of its gesture is merged, and answered with the rest.
  if (isNew && store.isMoving && store.picture === picture) return;
  picture.adopt(edit);
  if (isNew) {
    const step = edit.steps[edit.at];
    const isFromDisk = step.key !== last && step.title === 'Changed on disk';
    if (store.picture === picture) {
      store.replace(edit.own, { step: step.title, cause: 'document' });
      if (isFromDisk || edit.steps.length === 1) emit('changedOnDisk', picture);
    } else {
      picture.own = edit.own;
    }
  }
  emit('steps');
  emit('document');
}

on('server.edit', async (status) => {
  const picture = store.opened.get(status.id);
  if (!picture) return;
  await idle();
  const isOld = picture.status?.version !== status.version
    || picture.document?.revision !== status.revision;
  picture.status = status;
  if (isOld && store.picture === picture) refresh(picture);
  emit('document');
});
for (const name of ['server.edits', 'server.document']) {
  on(name, async ({ id }) => {
    await idle();
    const { picture } = store;
    if (picture && (id === undefined || id === picture.id)) refresh(picture);
  });
}

addEventListener('beforeunload', (event) => {
  store.endGesture();
  // On their way they arrive; where nobody answers they would be lost.
  if (queue.length && store.connection !== 'connected') event.preventDefault();
});
