// Sets what is changed in the open picture in the other selected ones, too, as one step of all.

import { say } from './messages.js';
import { api } from './protocol.js';
import { isEqual, store } from './store.js';

let isOn = false;

/** Whether the open picture is selected with others. */
export const canSync = () => (
  store.selection.length > 1 && store.selection.includes(store.picture?.id));
/** Whether changes are set in all selected pictures. */
export const isSyncing = () => isOn && canSync();
export function setSyncing(to) { isOn = to; }

/** What tells the server of a step of `picture` that made `own` of `from`. */
export function stepSender(picture, from, own) {
  const others = isSyncing() ? store.selection.filter((id) => id !== picture.id) : [];
  if (!others.length) return api.step;
  const names = [...new Set([...Object.keys(from), ...Object.keys(own)])]
    .filter((name) => !isEqual(from[name], own[name]));
  const values = Object.fromEntries(names.map((name) => [name, own[name] ?? null]));
  return async (id, { key, title, held }) => {
    const ids = [id, ...others];
    const { failed } = await api.paste({ values, ids, key, title, held });
    const mine = failed.find((each) => each.id === id);
    if (mine) throw new Error(mine.error);
    if (failed.length) {
      say(`Sync: ${failed.length} of ${others.length} failed. ${failed[0].error}`,
        { key: 'sync', kind: 'bad' });
    }
    const { edit } = await api.document(id);
    return edit;
  };
}
