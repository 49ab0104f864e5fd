// Menus that open below a button.

import { element, iconButton } from './element.js';

/**
 * Makes `button` open a menu. `items()` gives, whenever it opens, `{label, hint, run, isDisabled}`,
 * with `isChecked` for one of several choices, `picture`, a `note` below the label, `remove` for a
 * second button; `{title, items}` for a group, and null for a line. Gives the list.
 */
export function menu(button, items) {
  const list = element('div', {
    class: 'menu', role: 'menu', popover: 'auto',
    'aria-label': button.getAttribute('aria-label') ?? button.textContent,
  });
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  button.after(list);
  const buttons = () => [...list.querySelectorAll('button:not(:disabled)')];

  button.addEventListener('click', () => {
    if (list.matches(':popover-open')) {
      list.hidePopover();
      return;
    }
    list.replaceChildren(...items().map((item) => row(item, list)));
    list.showPopover();
    const at = button.getBoundingClientRect();
    const left = Math.min(at.left, innerWidth - list.offsetWidth - 8);
    const isAbove = at.bottom + list.offsetHeight > innerHeight && at.top > list.offsetHeight;
    list.style.left = `${Math.max(8, left)}px`;
    list.style.top = `${isAbove ? at.top - list.offsetHeight - 4
      : Math.max(8, Math.min(at.bottom + 4, innerHeight - list.offsetHeight - 8))}px`;
    buttons()[0]?.focus();
  });

  // A press on the button would close it first, and the click then open it again.
  let wasOpen = false;
  button.addEventListener('pointerdown', () => { wasOpen = list.matches(':popover-open'); });
  button.addEventListener('click', (event) => {
    if (wasOpen) { list.hidePopover(); event.stopImmediatePropagation(); }
    wasOpen = false;
  });

  list.addEventListener('toggle', (event) => {
    button.setAttribute('aria-expanded', String(event.newState === 'open'));
  });
  list.addEventListener('keydown', (event) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    event.stopPropagation();
    if (event.key === 'Escape') button.focus();
    if (event.key === 'Tab') list.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  });
  return list;
}

function row(item, list) {
  if (!item) return element('hr');
  if (item.title) {
    return element('div', { role: 'group', 'aria-label': item.title },
      element('div', { class: 'menu-title', 'aria-hidden': 'true' }, item.title),
      ...item.items.map((each) => row(each, list)));
  }
  const isChoice = item.isChecked !== undefined;
  const chosen = (run) => () => {
    list.hidePopover();
    run();
  };
  const made = element('button', {
    type: 'button', role: isChoice ? 'menuitemradio' : 'menuitem', disabled: item.isDisabled,
    'aria-checked': isChoice ? String(item.isChecked) : null,
    onclick: chosen(item.run),
  }, item.picture, element('span', {}, item.label, item.note && element('small', {}, item.note)),
  item.hint ? element('kbd', {}, item.hint) : null);
  return item.remove ? element('div', { class: 'menu-pair', role: 'none' }, made,
    iconButton('close', `Remove ${item.label}`, chosen(item.remove), { role: 'menuitem' })) : made;
}
