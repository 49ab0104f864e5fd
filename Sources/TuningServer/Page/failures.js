// What could not be kept, as a list by picture that stays until it is dealt with.

import { decide, decideStep } from './conflicts.js';
import { again, onRefused } from './edits.js';
import { say, unsay } from './messages.js';
import { api } from './protocol.js';
import { isEqual, on, store } from './store.js';

/** Pictures that are named; the others are counted. */
const mostNamed = 3;

/** The server's word on pictures whose edits are in no sidecar, by their identities. */
const pending = new Map();
/** Gestures that the server did not take, `{picture, gesture, error}`, by the same. */
const untaken = new Map();
let shown = [];

/** Whether the edit of the picture is in its sidecar, as far as is known. */
export const isPending = (id) => pending.has(id) || untaken.has(id);

function show() {
  const lines = [...pending.values()].filter(({ keeping }) => ['failed', 'conflict'].includes(keeping))
    .map((status) => ({ id: status.id, ...(status.conflict ? conflict(status) : failure(status)) }));
  for (const [id, { picture, gesture, error }] of untaken) {
    lines.push({
      id, text: `${picture.name}: “${gesture.title ?? 'Undo'}” was not applied. ${error.message}`,
      actions: [
        { label: 'Try again', run: () => { forget(id); again(picture, gesture); } },
        { label: 'Discard', run: () => forget(id) },
      ].slice(gesture.own ? 0 : 1),
    });
  }
  const named = lines.slice(0, mostNamed);
  const more = lines.length - named.length;
  for (const id of shown) if (!named.some((line) => line.id === id)) unsay(`kept ${id}`);
  shown = named.map(({ id }) => id);
  for (const { id, text, actions } of named) {
    say(text, { key: `kept ${id}`, kind: 'bad', actions, isFixed: true });
  }
  if (more) {
    say(`${more} more pictures are in the journal, but not in their sidecars.`, {
      key: 'kept', kind: 'bad', isFixed: true,
      actions: [{ label: 'Try all again', run: () => api.saveAll().catch(() => {}) }, recipes],
    });
  } else {
    unsay('kept');
  }
}

function forget(id) {
  untaken.delete(id);
  show();
}

const recipes = {
  label: 'Export as recipes', run: () => { location.assign(api.recipesURL); },
};

function failure({ id, name, error }) {
  return {
    text: `Not saved: ${name} is in the journal, not in its sidecar. ${error}`,
    actions: [
      { label: 'Try again', run: () => saveAgain(id) },
      { label: 'Discard', run: () => api.discard(id).catch(() => {}) },
    ],
  };
}

async function saveAgain(id) {
  const { status } = await api.save(id).catch(() => ({ status: null }));
  if (status?.keeping === 'sidecar') say(`Saved ${status.name}`, { key: 'saved', kind: 'good' });
  show();
}

function conflict(status) {
  return {
    text: `The sidecar of ${status.name} changed on disk.`,
    actions: [{ label: 'Look at the difference', run: () => decide(status).then(show) }],
  };
}

// A gesture that the server did not take.
onRefused(async (picture, gesture, error) => {
  if (error.code === 'changed') {
    await decideStep(picture, gesture, error.answer);
  } else {
    // Of several in a row the last one has the values of all.
    const from = untaken.get(picture.id)?.gesture.from ?? gesture.from;
    untaken.set(picture.id, { picture, gesture: { ...gesture, from }, error });
    show();
  }
});

function take(status) {
  if (status.keeping === 'sidecar') pending.delete(status.id);
  else pending.set(status.id, status);
  if (status.isReadOnly) tellReadOnly();
  tellJournal(status.journalProblem);
}

let journalTold = null;

/** Says that what is done is not remembered, once for each reason. */
function tellJournal(problem = null) {
  if (problem === journalTold) return;
  journalTold = problem;
  if (problem) say(problem, { key: 'journal', kind: 'bad' });
  else unsay('journal');
}

let isReadOnlyTold = false;

/** Says once that nothing is saved in this folder. */
function tellReadOnly() {
  if (isReadOnlyTold) return;
  isReadOnlyTold = true;
  say('The folder cannot be written. Edits are kept in the journal of rawdev tune, and '
    + 'restored at the next start.', { key: 'readOnly', actions: [recipes], stays: true });
}

async function read() {
  try {
    const { edits, journalProblem } = await api.edits();
    pending.clear();
    for (const status of edits) take(status);
    tellJournal(journalProblem);
    show();
  } catch {
    // Asked again when the server is back.
  }
}

on('start', () => { if (!store.start.writable) tellReadOnly(); });
on('server.hello', read);
on('server.edits', read);
on('server.edit', (status) => {
  const before = pending.get(status.id);
  take(status);
  if (!isEqual(before, pending.get(status.id))) show();
});
