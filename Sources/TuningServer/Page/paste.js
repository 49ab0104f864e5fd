// Copying settings of the open picture to the selected ones, by groups and properties.
import { groupKey, isAutomatic, told } from './edits.js';
import { element } from './element.js';
import { api } from './protocol.js';
import { on, store } from './store.js';
import { check, counted, dialog, showDialog } from './toolparts.js';
import { title, words } from './wording.js';

/** Groups that mostly belong to one picture, and must be chosen. */
const personal = ['crop', 'cropAspect', 'straightenAngle', 'verticalPerspective',
  'horizontalPerspective', 'orientation', 'neutralLocation'];

/** Pictures of one request: between them progress is shown, and closing the dialog stops. */
const batch = 100;
/** Failures that are named; one cause often has thousands. */
const mostNamed = 50;

/** The dialog in `host`; returns `{open}`. */
export function startPaste(host, announce) {
  const list = element('div', { class: 'paste-groups' });
  const isExact = element('input', { type: 'checkbox', onchange: () => show() });
  const result = element('p', { role: 'status', class: 'tool-note' });
  const failures = element('ul', { class: 'develop-failures', 'aria-label': 'Failures' });
  const progress = element('progress', { 'aria-label': 'Pasted', hidden: true });
  let isSending = false;
  const paste = element('button', { type: 'submit', class: 'primary', autofocus: true }, 'Paste');
  const lead = element('p', { class: 'tool-note' });
  const form = element('form', {
    method: 'dialog', class: 'tool-form',
    onsubmit: (event) => {
      event.preventDefault();
      send();
    },
  }, lead, list, check(isExact,
    'Also remove there what the chosen groups do not set here'), progress, result, failures,
  element('div', { class: 'buttons' }, paste));
  const modal = dialog(host, 'paste', 'Copy settings', form);

  const targets = () => store.selection.filter((id) => id !== store.picture?.id);
  const boxes = () => [...list.querySelectorAll('input[data-name]')];

  function makeGroups() {
    const { own } = store.picture;
    list.replaceChildren(...store.start.groups.map((group) => {
      const properties = store.start.properties
        .filter((each) => each.group === group.id && own[each.name] !== undefined);
      if (!properties.length) return null;
      const all = element('input', {
        type: 'checkbox', 'data-group': group.id,
        onchange: () => {
          for (const box of fields.querySelectorAll('input[data-name]')) box.checked = all.checked;
          show();
        },
      });
      const fields = element('ul', {}, ...properties.map((each) => element('li', {},
        check(element('input', {
          type: 'checkbox', 'data-name': each.name, 'data-of': group.id,
          checked: !personal.includes(each.name), onchange: () => show(),
        }), element('span', { title: each.summary }, title(each.name)),
        element('span', { class: 'paste-value' }, words(own[each.name], each))))));
      return element('section', {}, element('h3', {},
        check(all, group.title)), fields);
    }).filter(Boolean));
    if (!list.childElementCount) {
      list.append(element('p', {}, 'This picture has no settings of its own.'));
    }
  }

  /** What is to be set in the sidecars; null removes. */
  function values() {
    const { own } = store.picture;
    const chosen = boxes().filter((box) => box.checked);
    const result = Object.fromEntries(
      chosen.map(({ dataset }) => [dataset.name, own[dataset.name]]));
    if (isExact.checked) {
      const groups = new Set(chosen.map(({ dataset }) => dataset.of));
      for (const { name, group } of store.start.properties) {
        if (groups.has(group) && own[name] === undefined) result[name] = null;
      }
    }
    return result;
  }

  function show() {
    for (const all of list.querySelectorAll('input[data-group]')) {
      const own = boxes().filter((box) => box.dataset.of === all.dataset.group);
      const count = own.filter((box) => box.checked).length;
      all.checked = count === own.length;
      all.indeterminate = count > 0 && count < own.length;
    }
    const count = targets().length;
    lead.textContent = `Settings of ${store.picture.name}, as this page shows them. `
      + (count ? 'Undo takes it back in all of them.'
        : 'Select the pictures to paste to in the film strip, then come back.');
    paste.textContent = `Paste to ${counted(count, 'picture')}`;
    paste.disabled = isSending || !count || Object.keys(values()).length === 0;
  }

  async function send() {
    if (isSending) return;
    isSending = true;
    paste.disabled = true;
    failures.replaceChildren();
    const [chosen, ids, source] = [values(), targets(), store.picture.id];
    const all = counted(ids.length, 'picture');
    Object.assign(progress, { max: ids.length, value: 0, hidden: ids.length <= batch });
    let done = 0;
    const failed = [];
    const said = (end) => `Pasted to ${done} of ${all}`
      + (failed.length ? `; ${failed.length} failed` : '') + end;
    const step = {
      values: chosen, source, key: groupKey(), held: !isAutomatic(),
      title: `Paste to ${counted(ids.length, 'picture')}`,
    };
    try {
      await told();
      for (let from = 0; from < ids.length && modal.open; from += batch) {
        const answer = await api.paste({ ...step, ids: ids.slice(from, from + batch) });
        done += answer.done.length;
        failed.push(...answer.failed);
        progress.value = done + failed.length;
        result.textContent = said('…');
      }
      result.textContent = said('.');
      const more = failed.length - mostNamed;
      failures.append(...failed.slice(0, mostNamed).map(({ error }) => element('li', {}, error)),
        ...(more > 0 ? [element('li', {}, `and ${more} more`)] : []));
      if (!failed.length || !modal.open) {
        announce(result.textContent);
        modal.close();
      }
    } catch (error) {
      result.textContent = said(`. ${error.message}`);
      if (!modal.open) announce(result.textContent);
    } finally {
      isSending = false;
      progress.hidden = true;
    }
    show();
  }

  on('selection', () => { if (modal.open && store.picture) show(); });

  return {
    open() {
      if (!store.picture?.document || modal.open || isSending) return;
      result.textContent = '';
      failures.replaceChildren();
      makeGroups();
      show();
      showDialog(modal);
    },
  };
}
