// Undo and redo without end, the list of steps, and snapshots; each picture has its own.

import { element, iconButton } from './element.js';
import { say } from './messages.js';
import { api } from './protocol.js';
import { isEqual, on, store } from './store.js';
import { tab } from './tabs.js';

/** Steps by the number of the picture: `{steps: [{name, own}], at}`. */
const histories = new Map();

const page = tab('history', 'History');
const undoButton = iconButton('undo', 'Undo', () => undo());
const redoButton = iconButton('redo', 'Redo', () => redo());
document.getElementById('history-buttons').append(undoButton, redoButton);

const name = element('input', {
  type: 'text', placeholder: 'Name of a snapshot', 'aria-label': 'Name of a snapshot',
  maxlength: '80', autocomplete: 'off',
});
const snapshotList = element('ul', { class: 'rows' });
const stepList = element('ol', { class: 'rows', id: 'steps' });
page.append(
  element('h2', {}, 'Snapshots'),
  element('form', {
    class: 'inline',
    onsubmit: (event) => {
      event.preventDefault();
      takeSnapshot(name.value.trim());
    },
  }, name, element('button', { type: 'submit' }, 'Keep')),
  snapshotList, element('h2', {}, 'Steps'), stepList);
name.addEventListener('keydown', (event) => event.stopPropagation());

function current() { return store.picture && histories.get(store.picture.id); }

/** Goes back one step. */
export function undo() { go((current()?.at ?? 0) - 1); }

/** Goes forward one step. */
export function redo() { go((current()?.at ?? 0) + 1); }

function go(index) {
  const history = current();
  const step = history?.steps[index];
  if (!step || index === history.at) return;
  history.at = index;
  store.replace(step.own, { step: step.name, cause: 'history' });
}

function record(step) {
  const history = current();
  if (!history || isEqual(history.steps[history.at].own, store.picture.own)) return;
  history.steps.splice(history.at + 1);
  history.steps.push({ name: step || 'Change', own: store.picture.own });
  history.at = history.steps.length - 1;
}

/** Snapshots of the open picture, `[{name, own}]`. */
let snapshots = [];

/** Takes the snapshots that `answer` promises, where the picture is still open then. */
async function showSnapshots(answer) {
  const { picture } = store;
  try {
    const { snapshots: found } = await answer;
    if (store.picture !== picture) return;
    snapshots = found;
    show();
  } catch (error) {
    say(error.message, { key: 'snapshots', kind: 'bad' });
  }
}

/** Keeps the values of now under a name. */
export function takeSnapshot(title) {
  if (!store.picture) return;
  const isTaken = (text) => snapshots.some((each) => each.name === text);
  let number = snapshots.length + 1;
  while (isTaken(`Snapshot ${number}`)) number += 1;
  const text = title || `Snapshot ${number}`;
  showSnapshots(api.keepSnapshot(store.picture.id, text, store.picture.own));
  name.value = '';
}

function show() {
  const history = current();
  undoButton.disabled = !history || history.at === 0;
  redoButton.disabled = !history || history.at === history.steps.length - 1;
  const [before, behind] = [history?.steps[history.at], history?.steps[history.at + 1]];
  undoButton.title = undoButton.disabled ? 'Undo' : `Undo ${before.name} (Ctrl+Z)`;
  redoButton.title = redoButton.disabled ? 'Redo' : `Redo ${behind.name} (Ctrl+Shift+Z)`;
  if (page.hidden) return;
  stepList.replaceChildren(...(history?.steps ?? []).map((step, index) => element('li', {},
    element('button', {
      type: 'button', class: index > history.at ? 'undone' : null,
      'aria-current': index === history.at ? 'step' : null, onclick: () => go(index),
    }, step.name))).reverse());
  snapshotList.replaceChildren(...snapshots.map((snapshot) => element('li', {},
    element('button', {
      type: 'button',
      'aria-current': isEqual(snapshot.own, store.picture.own) ? 'true' : null,
      onclick: () => store.replace(snapshot.own, { step: `Snapshot ${snapshot.name}` }),
    }, snapshot.name),
    iconButton('close', `Remove snapshot ${snapshot.name}`, () => {
      showSnapshots(api.keepSnapshot(store.picture.id, snapshot.name));
    }))));
}

on('picture', () => {
  const { picture } = store;
  if (picture && !histories.has(picture.id)) {
    histories.set(picture.id, { steps: [{ name: 'Opened', own: picture.own }], at: 0 });
  } else if (picture) {
    record('Changed on disk');
  }
  snapshots = [];
  if (picture) showSnapshots(api.snapshots(picture.id));
  show();
});
on('values', ({ isLive, step, cause }) => {
  if (isLive) return;
  if (cause !== 'history') record(step);
  show();
});
page.addEventListener('select', show);
