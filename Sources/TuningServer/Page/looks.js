// Looks: a menu with small pictures of what they make of the open one.

import { element } from './element.js';
import { menu } from './menu.js';
import { ask, say } from './messages.js';
import { api } from './protocol.js';
import { on, store } from './store.js';

const kinds = { builtIn: 'Looks', recipe: 'Recipes', saved: 'Saved looks' };
/** What belongs to one picture stays out of a look, as its framing does. */
const personal = /^(neutral|white[FP]|exposure|isAutomaticWhite|baselineExposure|series)/;

let looks = [];
/** Pictures of the menu that are still to be made, `[image, values]`. */
let wanted = [];
let stopped = new AbortController();

async function take(answer) {
  try {
    ({ looks } = await answer);
  } catch (error) {
    say(error.message, { key: 'looks', kind: 'bad' });
  }
}

async function keep() {
  const input = element('input', { type: 'text', required: true, maxlength: '80' });
  const isKept = await ask({
    title: 'Save as look',
    content: [element('p', {}, 'What is set here, without white, exposure and framing.'),
      element('label', { class: 'field' }, 'Name', input)],
    buttons: [{ label: 'Cancel' }, { label: 'Save look', value: true, isPrimary: true }],
  });
  if (!isKept || !input.value.trim()) return;
  take(api.keepLook(input.value.trim(), Object.fromEntries(Object.entries(store.picture.own).filter(
    ([name]) => !personal.test(name) && store.properties.get(name)?.group !== 'geometry'))));
}

function row(look) {
  const picture = element('img', { alt: '', class: 'look-image' });
  if (!look.problem) wanted.push([picture, look.values]);
  return {
    label: look.title, picture, isDisabled: Boolean(look.problem), note: look.problem,
    run: () => store.set(look.values, { step: `Look: ${look.title}` }),
    remove: look.kind === 'saved' ? () => take(api.removeLook(look.id)) : null,
  };
}

/** Makes the pictures one after the other, while nothing else is rendered. */
async function preview({ signal }) {
  const { id, own } = store.picture;
  for (const [image, values] of wanted) {
    while (!signal.aborted && document.querySelector('#viewer[aria-busy="true"]')) {
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
    const body = { own: { ...own, ...values }, fit: [160, 120], form: 'jpeg', viewer: 'look' };
    const made = signal.aborted ? null : await api.render(id, body, signal).catch(() => null);
    if (made) {
      image.src = URL.createObjectURL(made.blob);
      image.onload = () => URL.revokeObjectURL(image.src);
    }
  }
}

/** Makes `button` open the menu. */
export function lookMenu(button) {
  const list = menu(button, () => {
    wanted = [];
    return [...Object.entries(kinds).map(([kind, title]) => ({
      title, items: looks.filter((look) => look.kind === kind).map(row),
    })).filter(({ items }) => items.length), null, { label: 'Save as look …', run: keep }];
  });
  list.classList.add('looks');
  list.addEventListener('toggle', ({ newState }) => {
    stopped.abort();
    if (newState === 'open') preview(stopped = new AbortController());
  });
  on('start', () => take(api.looks()));
}
