// Lines that are said above the picture, and questions.

import { element, iconButton } from './element.js';

const place = document.getElementById('messages');
const shown = new Map();

/**
 * Says `text`. `key`: replaces the line of that key. `kind`: "info", "good", "bad". `actions`:
 * `[{label, run}]`. A line with actions or of "bad" stays until it is closed, others for seconds;
 * one that `isFixed` cannot be closed.
 */
export function say(text, { key = text, kind = 'info', actions = [], stays, isFixed = false } = {}) {
  unsay(key);
  const line = element('div', { class: `message ${kind}` },
    element('p', {}, text),
    actions.map(({ label, run }) => element('button', {
      type: 'button',
      onclick: () => {
        unsay(key);
        run();
      },
    }, label)),
    isFixed ? null : iconButton('close', 'Close this message', () => unsay(key)));
  shown.set(key, line);
  place.append(line);
  const remains = stays ?? (kind === 'bad' || actions.length > 0);
  if (!remains) {
    setTimeout(() => { if (shown.get(key) === line) unsay(key); }, kind === 'info' ? 10000 : 4000);
  }
}

/** Takes back the line of `key`. */
export function unsay(key) {
  shown.get(key)?.remove();
  shown.delete(key);
}

/**
 * Asks. `buttons`: `[{label, value, isPrimary}]`. Gives the value of the one that was pressed; null
 * where the dialog was closed. `content` are nodes; `validate(value)` may keep it open by false.
 */
export function ask({ title, content = [], buttons }) {
  return new Promise((resolve) => {
    let answer = null;
    const heading = element('h2', { id: 'question' }, title);
    const dialog = element('dialog', { 'aria-labelledby': 'question' },
      element('form', {
        method: 'dialog',
        onsubmit: (event) => {
          event.preventDefault();
          const pressed = event.submitter ?? dialog.querySelector('button.primary');
          answer = buttons[pressed.dataset.index].value;
          dialog.close();
        },
      }, heading, content,
      element('div', { class: 'buttons' }, buttons.map((button, index) => element('button', {
        type: 'submit', 'data-index': String(index), class: button.isPrimary ? 'primary' : null,
        formnovalidate: !button.isPrimary,
      }, button.label)))));
    // Enter in a field takes the first button; that shall be the primary one.
    const primary = dialog.querySelector('button.primary');
    dialog.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter' && event.target.matches('input')) {
        event.preventDefault();
        dialog.querySelector('form').requestSubmit(primary);
      }
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.getElementById('dialogs').append(dialog);
    dialog.showModal();
    (dialog.querySelector('input') ?? primary)?.focus();
  });
}
