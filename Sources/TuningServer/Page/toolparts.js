// Small parts of which the tools are made: buttons, dialogs, fields, and numbers as text.
import { element, iconButton } from './element.js';

/**
 * A button with a short text, what it does in words, and its key. `pressed`: it is a switch.
 * `icon`: stands before the text, and instead of it where there is no room.
 */
export function button(text, label, onclick, { pressed, key, icon, ...attributes } = {}) {
  const classes = [icon ? 'has-icon' : null, attributes.class].filter(Boolean).join(' ');
  return element('button', {
    type: 'button', onclick, title: key ? `${label} (${key})` : label,
    'aria-label': label === text ? null : label,
    'aria-pressed': pressed === undefined ? null : String(pressed),
    ...attributes, class: classes || null,
  }, icon, icon ? element('span', { class: 'button-text' }, text) : text);
}

/** A dialog that Escape and its button close; open it by `showDialog`. */
export function dialog(host, id, title, ...content) {
  const made = element('dialog', {
    id, class: 'tool-dialog', 'aria-labelledby': `${id}-title`,
    // Keys of the page are not those of a dialog.
    onkeydown: (event) => { if (made.open) event.stopPropagation(); },
  }, element('header', { class: 'dialog-header' }, element('h2', { id: `${id}-title` }, title),
    iconButton('close', 'Close', () => made.close())), content);
  host.append(made);
  return made;
}

/** Opens a dialog; when it closes the focus goes back, to the picture where it was nowhere. */
export function showDialog(made) {
  const last = document.activeElement;
  made.addEventListener('close', () => {
    const isKept = last && last !== document.body && last.checkVisibility();
    (isKept ? last : document.getElementById('viewer')).focus({ preventScroll: true });
  }, { once: true });
  made.showModal();
}

/** A labelled field. */
export function field(label, control) {
  return element('label', { class: 'tool-field' },
    element('span', { class: 'tool-field-name' }, label), control);
}

/** A check box or radio button with its text. */
export function check(input, ...text) {
  return element('label', { class: 'tool-check' }, input, text);
}

export function option(value, text = value) {
  return element('option', { value }, text);
}

/** A number with its sign, a true minus. */
export function signed(number, decimals = 1) {
  if (!Number.isFinite(number)) return '–';
  const text = Math.abs(number).toFixed(decimals);
  return Number(text) === 0 ? text : (number < 0 ? '−' : '+') + text;
}

/** A share as percent, short. */
export function percent(share) {
  if (!(share > 0)) return '0 %';
  const value = 100 * share;
  return value < 0.01 ? '<0.01 %' : `${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} %`;
}

/** Bytes in words. */
export function bytes(count) {
  if (count < 1e6) return `${Math.max(1, Math.round(count / 1e3))} kB`;
  return `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
}

/** A count with its noun: 1 picture, 3 pictures. */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
