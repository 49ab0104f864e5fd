// A part of the panel that opens and closes: a group of controls, or a family within one.

import { element, iconButton } from './element.js';
import { remembered, remember } from './remembered.js';
import { store } from './store.js';

/**
 * `items` are controls and what holds them: folds, tabs, wheels. `look()` says what is looked for:
 * `{wanted, isOnlyChanged, inText}`. Gives `{id, title, element, members, items, show(), mark(),
 * open(member), isOpen()}`: `show` leaves what is looked for and returns how many controls that
 * are, `mark` tells how many are changed.
 */
export function fold({ id, title, level, items, isOpenAtFirst, look }) {
  const members = items.flatMap((item) => item.members ?? [item]);
  let isOpen = remembered('groups', {})[id] ?? isOpenAtFirst;
  const count = element('span', { class: 'count' });
  const content = element('div', { class: 'group-content', id: `group-${id}` },
    items.map((item) => item.element));
  const heading = element('button', {
    type: 'button', class: 'group-title', 'aria-controls': `group-${id}`,
    onclick: () => {
      isOpen = !isOpen;
      remember('groups', { ...remembered('groups', {}), [id]: isOpen });
      show();
    },
  }, element('span', { class: 'arrow', 'aria-hidden': 'true' }), element('span', {}, title), count);
  const changed = () => members.filter(({ property }) => store.isOwn(property.name));
  const reset = iconButton('reset', `Reset all of ${title}`, () => store.set(
    Object.fromEntries(changed().map(({ property }) => [property.name, undefined])),
    { step: `Reset ${title}` }));
  const section = element('section', {
    class: level === 2 ? 'group' : 'family', 'data-group': id,
  }, element(`h${level}`, {}, heading, reset), content);

  function show(isAllWanted = false) {
    const { wanted, isOnlyChanged, inText } = look();
    const isNamed = isAllWanted || wanted.every((word) => title.toLowerCase().includes(word));
    let shown = 0;
    for (const item of items) {
      if (item.show) shown += item.show(isNamed && wanted.length > 0);
      for (const each of item.show ? [] : item.members ?? [item]) {
        each.element.hidden = !(isNamed || each.matches(wanted, inText))
          || isOnlyChanged && !store.isOwn(each.property.name);
        shown += each.element.hidden ? 0 : 1;
      }
    }
    section.hidden = shown === 0;
    const isShownOpen = isOpen || wanted.length > 0 || isOnlyChanged;
    content.hidden = !isShownOpen;
    heading.setAttribute('aria-expanded', String(isShownOpen));
    return shown;
  }

  function mark() {
    const number = changed().length;
    count.textContent = number ? String(number) : '';
    count.title = number ? `${number} changed` : '';
    reset.hidden = !number;
    for (const item of items) item.mark?.();
  }

  return {
    id, title, element: section, members, items, show, mark,
    open(member) {
      isOpen = true;
      for (const item of items) if (item.members?.includes(member)) item.open?.(member);
    },
    isOpen: () => isOpen,
  };
}
