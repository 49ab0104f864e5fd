// Looks: a menu with small pictures of what they make of the open one.

import { element } from './element.js';
import { menu } from './menu.js';
import { ask, say } from './messages.js';
import { api } from './protocol.js';
import { store } from './store.js';

const kinds = { builtIn: 'Looks', recipe: 'Recipes', saved: 'Saved looks' };
/** What belongs to one picture stays out of a look. */
const personal = /^(neutral|white|exposure|isAutomaticWhite|baselineExposure|series)/;

let looks = [];

async function take(answer) {
  try {
    ({ looks } = await answer);
  } catch (error) {
    say(error.message, { key: 'looks', kind: 'bad' });
  }
}

async function keep() {
  const input = element('input', { type: 'text', required: true, maxlength: '80' });
  const title = await ask({
    title: 'Save as look',
    content: [element('p', {}, 'With all that is set here, without white, exposure and framing.'),
      element('label', { class: 'field' }, 'Name', input)],
    buttons: [{ label: 'Cancel', value: null }, { label: 'Save look', value: true, isPrimary: true }],
  }) && input.value.trim();
  if (!title || !store.picture) return;
  const own = Object.fromEntries(Object.entries(store.picture.own).filter(([name]) =>
    !personal.test(name) && store.properties.get(name)?.group !== 'geometry'));
  await take(api.keepLook(title, own));
}

/** The button of the menu. */
export function lookButton(button) {
  /** Pictures that are still to be made, `{image, values}`. */
  let wanted = [];
  let stopped = new AbortController();

  function row(look) {
    const image = element('img', { alt: '', class: 'look-image' });
    if (!look.problem) wanted.push({ image, values: look.values });
    return {
      label: look.title, picture: image, isDisabled: Boolean(look.problem), note: look.problem,
      run: () => store.set(look.values, { step: `Look: ${look.title}` }),
      remove: look.kind === 'saved' ? () => take(api.removeLook(look.id)) : null,
    };
  }

  async function preview({ signal }) {
    const { picture } = store;
    const viewer = document.getElementById('viewer');
    for (const { image, values } of wanted) {
      // The picture that is seen needs the machine more.
      while (!signal.aborted && viewer.getAttribute('aria-busy') === 'true') {
        await new Promise((resolve) => { setTimeout(resolve, 100); });
      }
      if (signal.aborted || picture !== store.picture) return;
      try {
        const { blob } = await api.render(picture.id, {
          own: { ...picture.own, ...values }, part: null, fit: [160, 120], form: 'jpeg',
          isHDR: false, stopsDown: 0, overlays: [], viewer: 'look',
        }, signal);
        image.src = URL.createObjectURL(blob);
        image.onload = () => URL.revokeObjectURL(image.src);
      } catch (error) {
        if (error.name === 'AbortError') return;
      }
    }
  }

  const list = menu(button, () => {
    wanted = [];
    const groups = Object.entries(kinds).map(([kind, title]) => ({
      title, items: looks.filter((look) => look.kind === kind).map(row),
    })).filter(({ items }) => items.length);
    return [...groups, null, { label: 'Save as look …', run: keep }];
  });
  list.classList.add('looks');
  list.addEventListener('toggle', ({ newState }) => {
    stopped.abort();
    stopped = new AbortController();
    if (newState === 'open') preview(stopped);
  });
  return () => take(api.looks());
}
