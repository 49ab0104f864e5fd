// Keeps what is set: in the sidecar, by itself or when a person says so, as a recipe, as defaults of
// the folder.

import { decide } from './conflicts.js';
import { isAutomatic, told } from './edits.js';
import { element, iconButton } from './element.js';
import { menu } from './menu.js';
import { ask, say, unsay } from './messages.js';
import { api, ConnectionError, pageName } from './protocol.js';
import { remember } from './remembered.js';
import { refreshState } from './state.js';
import { on, store } from './store.js';
import { title, words } from './wording.js';

const saveButton = element('button', { type: 'button', id: 'save', onclick: () => save() }, 'Save');
const moreButton = iconButton('more', 'Other ways to save', () => {}, { id: 'save-more' });
document.getElementById('save-buttons').append(saveButton, moreButton);

menu(moreButton, () => {
  const { picture } = store;
  const nothing = !picture || !Object.keys(picture.own).length;
  return [
    { label: 'Save to the sidecar', hint: 'Ctrl+S', run: save,
      isDisabled: !picture || picture.isKept || Boolean(picture.document.problem) },
    { label: 'Save all pictures', run: saveAll },
    { title: 'Save each change', items: [
      { label: 'By itself', isChecked: isAutomatic(), run: () => setAutomatic(true) },
      { label: 'When I say so', isChecked: !isAutomatic(), run: () => setAutomatic(false) }] },
    null,
    { label: 'Save as a recipe…', run: saveRecipe, isDisabled: nothing },
    { label: 'Save as defaults of the folder…', run: saveDefaults, isDisabled: nothing },
    null,
    { label: 'Back to what is saved', run: revert, isDisabled: !picture || picture.isKept },
  ];
});

/** Saves from now on by itself, and what waits at once; or only when a person says so. */
function setAutomatic(isOn) {
  remember('autosave', isOn);
  if (isOn) saveAll();
  show();
}

async function saveAll() {
  await told();
  try {
    const { edits } = await api.saveAll();
    say(edits.length ? `Saved, except ${edits.length}: see the messages above.` : 'Everything is saved',
      { key: 'saved', kind: edits.length ? 'info' : 'good' });
  } catch (error) {
    say(error.message, { key: 'saved', kind: 'bad' });
  }
}

/** Writes the sidecar of the open picture now. */
export async function save() {
  const { picture } = store;
  if (!picture?.document || picture.document.problem) return;
  await told();
  try {
    if (!picture.isKept) await settle(picture);
    const { keeping } = picture.status;
    if (keeping === 'conflict') await decide(picture.status);
    else if (keeping === 'sidecar') {
      say(`Saved ${picture.document.path}`, { key: 'saved', kind: 'good' });
    }
    // What went wrong otherwise stays in the list of failures.
  } catch (error) {
    if (!(error instanceof ConnectionError)) say(error.message, { key: 'saved', kind: 'bad' });
  }
}

/** Saves `picture`, and waits for a saving that was under way. */
async function settle(picture) {
  const { status } = await api.save(picture.id);
  picture.status = status;
  if (status.keeping !== 'waiting') return;
  await new Promise((done) => {
    const end = on('server.edit', ({ id, keeping }) => {
      if (id !== picture.id || keeping === 'waiting') return;
      end();
      done();
    });
  });
}

function revert() {
  if (store.picture) store.replace(store.picture.saved, { step: 'Back to what is saved' });
}

async function saveRecipe() {
  const { picture } = store;
  const field = element('input', { type: 'text', required: true, maxlength: '100', name: 'name',
    autocomplete: 'off' });
  const answer = await ask({
    title: 'Save as a recipe',
    content: [element('p', {}, 'The changed values, as a recipe beside the raw. '
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

/** Shows whether the sidecar gives what is seen, and what keeps it from that. */
function show() {
  const { picture } = store;
  const problem = picture?.document?.problem;
  const isKept = !picture || picture.isKept;
  saveButton.disabled = isKept || Boolean(problem);
  saveButton.classList.toggle('primary', !isKept && !problem && !isAutomatic());
  saveButton.title = problem ? 'The sidecar has an error and is not overwritten'
    : isKept ? 'Everything is saved' : `Save to ${picture.document.path} (Ctrl+S)`;
  document.title = picture
    ? `${isKept ? '' : '• '}${picture.name} – rawdev tune` : 'rawdev tune';
  document.getElementById('picture-name').classList.toggle('is-waiting', !isKept);
  if (problem) {
    say(`The sidecar cannot be used, and is not overwritten: ${problem}`,
      { key: 'problem', kind: 'bad' });
  } else {
    unsay('problem');
  }
}

on('picture', show);
on('document', show);
on('values', ({ isLive }) => { if (!isLive) show(); });
on('changedOnDisk', ({ name }) => {
  say(`The sidecar of ${name} changed on disk; it was read again.`, { key: 'read' });
  refreshState();
});

const others = new Set();

on('server.opened', ({ id, page }) => {
  if (store.picture?.id === id && page !== pageName && !others.has(`${id} ${page}`)) {
    others.add(`${id} ${page}`);
    say('Another page opened this picture. Its edits appear here.', { key: 'opened' });
  }
});
