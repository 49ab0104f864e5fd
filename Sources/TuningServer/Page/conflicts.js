// Questions about what two set at the same time: this page, and another one or somebody else.

import { record } from './edits.js';
import { element } from './element.js';
import { ask, say } from './messages.js';
import { api } from './protocol.js';
import { store } from './store.js';
import { title, words } from './wording.js';

/** Asks whose values shall stay of those that somebody else set, too. */
export async function decide({ id, name, conflict: { names, theirs, revision } }) {
  const { own } = store.opened.get(id) ?? (await api.document(id)).edit;
  const side = await ask({
    title: `The sidecar of ${name} changed on disk`,
    content: [element('p', {}, 'The same settings were changed after they were read here:'),
      difference(names, own, theirs, 'The file’s')],
    buttons: [
      { label: 'Decide later', value: null }, { label: 'Take the file’s', value: 'theirs' },
      { label: 'Keep mine', value: 'mine', isPrimary: true },
    ],
  });
  if (!side) return;
  const { status } = await api.save(id, { side, revision });
  if (status.keeping === 'sidecar') say(`Saved ${name}`, { key: 'saved', kind: 'good' });
}

/** A table of the values of `names`. */
function difference(names, mine, theirs, whose) {
  const text = (own, name) => (name in own ? words(own[name], store.properties.get(name)) : '—');
  return element('table', { class: 'difference' },
    element('thead', {}, element('tr', {}, ['', 'Mine', whose].map((head) => (
      element('th', { scope: 'col' }, head))))),
    element('tbody', {}, names.map((name) => element('tr', {},
      element('th', { scope: 'row' }, title(name)), element('td', {}, text(mine, name)),
      element('td', {}, text(theirs, name))))));
}

/** Asks whose values shall stay where another page set those of `names` while `gesture` was made. */
export async function decideStep(picture, gesture, { names, edit }) {
  const side = await ask({
    title: `Another page changed ${picture.name}`,
    content: [element('p', {}, 'Both pages changed the same settings:'),
      difference(names, gesture.own, edit.own, 'The other page’s')],
    buttons: [{ label: 'Take the other page’s', value: 'theirs' },
      { label: 'Keep mine', value: 'mine', isPrimary: true }],
  });
  picture.adopt(edit);
  const mine = { ...edit.own };
  for (const name of names) {
    if (gesture.own[name] === undefined) delete mine[name]; else mine[name] = gesture.own[name];
  }
  const own = side === 'mine' ? mine : edit.own;
  if (store.picture === picture) {
    store.replace(own, { step: gesture.title, cause: 'document' });
  } else {
    picture.own = own;
  }
  record(picture, gesture.title, edit.own);
}
