// Keeps what was changed: in the sidecar, as a recipe, as defaults of the folder. A sidecar that
// changed on disk is never overwritten unasked.

import { element, iconButton } from './element.js';
import { menu } from './menu.js';
import { ask, say, unsay } from './messages.js';
import { meet } from './opening.js';
import { api, pageName, ServerError } from './protocol.js';
import { emit, isEqual, on, store } from './store.js';
import { refreshState } from './state.js';
import { title, words } from './wording.js';

const saveButton = element('button', { type: 'button', id: 'save', onclick: () => save() }, 'Save');
const moreButton = iconButton('more', 'Other ways to keep', () => {}, { id: 'save-more' });
document.getElementById('save-buttons').append(saveButton, moreButton);

menu(moreButton, () => {
  const { picture } = store;
  const nothing = !picture || !Object.keys(picture.own).length;
  return [
    { label: 'Save to the sidecar', hint: 'Ctrl+S', run: save,
      isDisabled: !picture?.isChanged || Boolean(picture.document.problem) },
    { label: 'Save as a recipe…', run: saveRecipe, isDisabled: nothing },
    { label: 'Save as defaults of the folder…', run: saveDefaults, isDisabled: nothing },
    null,
    { label: 'Back to what is saved', run: revert, isDisabled: !picture?.isChanged },
  ];
});

/** The saving under way: the server tells of it before it answers. */
let pending = Promise.resolve();

/** Writes the sidecar of the open picture. */
export async function save({ force = false } = {}) {
  const { picture } = store;
  if (!picture?.document || picture.document.problem) return;
  if (!picture.isChanged && !force) return;
  if (picture.conflict && !force) {
    await resolve(picture);
    return;
  }
  const { own } = picture;
  try {
    const answer = api.save(picture.id, own, picture.document.revision, force);
    pending = answer.catch(() => {});
    const { document } = await answer;
    agree(picture, document, own);
    say(`Saved ${document.path}`, { key: 'saved', kind: 'good' });
  } catch (error) {
    if (error instanceof ServerError && error.code === 'changed') {
      picture.conflict = error.answer.document;
      emit('document');
      await resolve(picture);
    } else {
      say(`Not saved. ${error.message}`, {
        key: 'saved', kind: 'bad', actions: [{ label: 'Try again', run: () => save({ force }) }],
      });
    }
  }
}

/** `picture` and its sidecar agree about `own`. */
function agree(picture, document, own) {
  picture.document = document;
  picture.saved = own;
  picture.conflict = null;
  emit('document');
}

/** Takes what is on disk. */
function take(picture, document) {
  picture.document = document;
  picture.saved = document.own;
  picture.conflict = null;
  if (store.picture === picture) {
    store.replace(document.own, { step: 'Changed on disk', cause: 'document' });
    refreshState();
  } else {
    picture.own = document.own;
  }
  emit('document');
}

function revert() {
  if (store.picture) store.replace(store.picture.saved, { step: 'Back to what is saved' });
}

/** Asks whose values shall stay. */
async function resolve(picture) {
  const { conflict } = picture;
  const answer = await ask({
    title: `The sidecar of ${picture.name} changed on disk`,
    content: [element('p', {}, 'Somebody else saved it after it was read here. What differs:'),
      difference(picture.own, conflict.own)],
    buttons: [
      { label: 'Decide later', value: null }, { label: 'Take the file’s', value: 'file' },
      { label: 'Keep mine', value: 'mine', isPrimary: true },
    ],
  });
  if (answer === 'file') take(picture, conflict);
  if (answer === 'mine') {
    picture.document = conflict;
    picture.conflict = null;
    if (store.picture === picture) await save({ force: true });
  }
}

/** A table of the values in which `mine` and `theirs` differ. */
function difference(mine, theirs) {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .filter((name) => !isEqual(mine[name], theirs[name]));
  const shown = (own, name) => (name in own ? words(own[name], store.properties.get(name)) : '—');
  return element('table', { class: 'difference' },
    element('thead', {}, element('tr', {}, ['', 'Mine', 'The file’s'].map((text) => (
      element('th', { scope: 'col' }, text))))),
    element('tbody', {}, names.map((name) => element('tr', {},
      element('th', { scope: 'row' }, title(name)), element('td', {}, shown(mine, name)),
      element('td', {}, shown(theirs, name))))));
}

async function saveRecipe() {
  const { picture } = store;
  const field = element('input', { type: 'text', required: true, maxlength: '100', name: 'name',
    autocomplete: 'off' });
  const answer = await ask({
    title: 'Save as a recipe',
    content: [element('p', {}, 'The values that are changed here, as a recipe beside the raw. '
      + '“rawdev develop --recipe” uses it for other pictures.'),
    element('label', { class: 'field' }, 'Name', field)],
    buttons: [{ label: 'Cancel', value: null }, { label: 'Save', value: 'save', isPrimary: true }],
  });
  if (!answer) return;
  await keep(() => api.recipe(picture.id, picture.own, field.value.trim()));
}

async function saveDefaults() {
  const { picture } = store;
  const lines = Object.entries(picture.own)
    .map(([name, value]) => `${title(name)} ${words(value, store.properties.get(name))}`);
  const list = element('ul', { class: 'values' }, lines.map((line) => element('li', {}, line)));
  const answer = await ask({
    title: 'Save as defaults of the folder',
    content: [element('p', {}, 'All pictures of the folder are developed with these values, '
      + 'unless their sidecars give others:'), list],
    buttons: [{ label: 'Cancel', value: null }, { label: 'Save', value: 'save', isPrimary: true }],
  });
  if (answer) await keep(() => api.defaults(picture.id, picture.own));
}

async function keep(request) {
  try {
    const { path } = await request();
    say(`Saved ${path}`, { key: 'saved', kind: 'good' });
  } catch (error) {
    say(`Not saved. ${error.message}`, { key: 'saved', kind: 'bad' });
  }
}

/** Shows whether there is anything to save, and what keeps it from being saved. */
function show() {
  const { picture } = store;
  const problem = picture?.document?.problem;
  saveButton.disabled = !picture?.isChanged || Boolean(problem);
  saveButton.classList.toggle('primary', Boolean(picture?.isChanged) && !problem);
  saveButton.title = problem ? 'The sidecar has an error and is not overwritten'
    : picture?.isChanged ? `Save to ${picture.document.path} (Ctrl+S)` : 'Everything is saved';
  document.title = picture
    ? `${picture.isChanged ? '• ' : ''}${picture.name} – rawdev tune` : 'rawdev tune';
  document.getElementById('picture-name').classList
    .toggle('is-unsaved', Boolean(picture?.isChanged));
  if (problem) {
    say(`The sidecar cannot be used, and is not overwritten: ${problem}`,
      { key: 'problem', kind: 'bad' });
  } else {
    unsay('problem');
  }
  if (picture?.conflict && picture.isChanged) {
    say(`The sidecar of ${picture.name} changed on disk.`, {
      key: 'conflict', kind: 'bad',
      actions: [{ label: 'Look at the difference', run: () => resolve(picture) }],
    });
  } else {
    unsay('conflict');
  }
}

on('picture', show);
on('document', show);
on('values', ({ isLive }) => { if (!isLive) show(); });

on('server.document', async ({ id, revision }) => {
  const picture = store.opened.get(id);
  await pending;
  if (!picture?.document || picture.document.revision === revision) return;
  if (store.picture !== picture) {
    // It is read when it is opened again; what is not saved is compared then.
    if (!picture.isChanged) store.opened.delete(id);
    return;
  }
  let document;
  try {
    ({ document } = await api.open(id));
  } catch {
    return;
  }
  if (picture.document.revision === document.revision) return;
  if (!picture.isChanged || isEqual(picture.own, document.own)) {
    take(picture, document);
    if (store.picture === picture) {
      say(`The sidecar of ${picture.name} changed on disk; it was read again.`, { key: 'read' });
    }
  } else {
    meet(picture, document);
    emit('document');
  }
});

// The server names what is not saved when it ends; a new connection starts without.
let told = '';
function tellUnsaved() {
  const ids = Object.keys(store.unsaved()).map(Number);
  if (`${ids}` === told) return;
  told = `${ids}`;
  api.unsaved(ids).catch(() => { told = ''; });
}
on('server.hello', () => {
  told = '';
  tellUnsaved();
});
on('document', tellUnsaved);
on('values', ({ isLive }) => { if (!isLive) tellUnsaved(); });

const others = new Set();

on('server.opened', ({ id, page }) => {
  if (store.picture?.id === id && page !== pageName && !others.has(`${id} ${page}`)) {
    others.add(`${id} ${page}`);
    say('Another page opened this picture. What it saves is shown here.', { key: 'opened' });
  }
});

addEventListener('beforeunload', (event) => {
  if (Object.keys(store.unsaved()).length) event.preventDefault();
});
