// Undo and redo, the list of steps, and snapshots; each picture has its own, which the server keeps.

import { move, record } from './edits.js';
import { element, iconButton } from './element.js';
import { say } from './messages.js';
import { api } from './protocol.js';
import { isEqual, on, store } from './store.js';
import { tab } from './tabs.js';

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

/** Goes back one step. */
export function undo() { go(-1); }

/** Goes forward one step. */
export function redo() { go(1); }

function go(by) {
  store.endGesture();
  if (store.picture) goTo(store.picture.at + by);
}

function goTo(place) {
  const { picture } = store;
  const step = picture.steps[place];
  if (!step || place === picture.at) return;
  const isBack = place < picture.at;
  const passed = isBack ? picture.steps.slice(place + 1, picture.at + 1)
    : picture.steps.slice(picture.at + 1, place + 1);
  move(picture, place);
  store.replace(step.own, { step: step.title, cause: 'history' });
  for (const { title, group } of passed) {
    if (group) say(`${isBack ? 'Undone' : 'Done again'} in all pictures: ${title}`, { key: 'group' });
  }
  show();
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
  const { steps = [], at = 0 } = store.picture ?? {};
  const [before, behind] = [at > 0 ? steps[at] : null, steps[at + 1]];
  undoButton.disabled = !before;
  redoButton.disabled = !behind;
  undoButton.title = before ? `Undo ${before.title} (Ctrl+Z)` : 'Undo';
  redoButton.title = behind ? `Redo ${behind.title} (Ctrl+Shift+Z)` : 'Redo';
  if (page.hidden) return;
  stepList.replaceChildren(...steps.map((step, index) => element('li', {},
    element('button', {
      type: 'button', class: index > at ? 'undone' : null,
      'aria-current': index === at ? 'step' : null, onclick: () => goTo(index),
    }, step.title))).reverse());
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
  snapshots = [];
  if (picture) showSnapshots(api.snapshots(picture.id));
  show();
});
on('steps', show);
on('values', ({ isLive, step, cause }) => {
  if (isLive) return;
  if (cause === 'edit') record(store.picture, step || 'Change');
  show();
});
page.addEventListener('select', show);
