// The keys of the page: one table, by which they work and from which the help is made.
import { element } from './element.js';
import { dialog, showDialog } from './toolparts.js';

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
const keyNames = {
  mod: isMac ? '⌘' : 'Ctrl', Shift: isMac ? '⇧' : 'Shift', Alt: isMac ? '⌥' : 'Alt',
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc',
};

/** `{keys, text, group, run}`, in the order of the help; without `run` the help alone. */
const table = [];

/**
 * Adds keys. `keys` as `z`, `mod+Shift+z`, where `mod` is Ctrl or ⌘, or texts for the help.
 * `isEverywhere`: in text fields, too.
 */
export function addKeys(group, ...entries) {
  table.push(...entries.map((entry) => ({ group, ...entry, keys: [entry.keys].flat() })));
}

/** The key of an event as the table writes it. Signs that need Shift are what they are. */
function pressed(event) {
  const parts = [];
  // Some keyboards write [ and ] with AltGr, which Windows reports as Ctrl and Alt.
  const isAltGr = event.getModifierState('AltGraph');
  if (!isAltGr && (event.ctrlKey || event.metaKey)) parts.push('mod');
  if (!isAltGr && event.altKey) parts.push('Alt');
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase();
  if (event.shiftKey && !isSign) parts.push('Shift');
  parts.push(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  return parts.join('+');
}

/** Whether an element takes letters, or these arrows, for itself. */
function keeps(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.closest('[contenteditable], textarea')) return true;
  if (target.matches('select')) return !key.startsWith('mod');
  if (target.matches('input')) {
    if (target.type === 'range') return /Arrow|Home|End|Page/.test(key);
    if (['checkbox', 'radio', 'button'].includes(target.type)) return /Arrow/.test(key);
    return true;
  }
  return /Arrow|Home|End|Page/.test(key)
    && ['slider', 'tablist', 'menu', 'listbox'].some((role) => target.closest(`[role="${role}"]`));
}

/** `isFirst`: before elements hear the key, which some keep from the page. */
function hear(event, isFirst) {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog:modal')) return;
  const key = pressed(event);
  const entry = table.find((each) =>
    each.run && each.keys.includes(key) && Boolean(each.isEverywhere) === isFirst);
  if (!entry || (event.repeat && !entry.isRepeated)) return;
  if (!entry.isEverywhere && keeps(event.target, key)) return;
  if (entry.run(event) === false) return;
  event.preventDefault();
}

/** Hears keys from now on; returns `{help}`, which shows the list. */
export function startKeyboard(host) {
  document.addEventListener('keydown', (event) => hear(event, true), { capture: true });
  document.addEventListener('keydown', (event) => hear(event, false));
  const list = element('div', { class: 'help-groups' });
  const modal = dialog(host, 'help', 'Keys', list);
  return {
    help() {
      if (modal.open) return;
      const groups = [...new Set(table.map((entry) => entry.group))];
      list.replaceChildren(...groups.map((group) => element('section', {},
        element('h3', {}, group), element('dl', {}, ...table
          .filter((entry) => entry.group === group && entry.text)
          .map((entry) => element('div', {},
            element('dt', {}, ...caps(entry.shown ?? entry.keys)),
            element('dd', {}, entry.text)))))));
      showDialog(modal);
    },
  };
}

/** Keys as they are printed on a keyboard. */
function caps(keys) {
  return keys.flatMap((key, n) => {
    const parts = key === '+' ? ['+'] : key.split('+');
    const made = parts.map((part) => element('kbd', {},
      keyNames[part] ?? (part.length === 1 ? part.toUpperCase() : part)));
    return n ? [' or ', ...made] : made;
  });
}
