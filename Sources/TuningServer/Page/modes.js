// Tools that take the picture for themselves: crop, white picker, probe. One at a time.

let current = null;
const listeners = new Set();

/** The name of the tool in use; null while none is. */
export const mode = () => current?.name ?? null;

/** Calls `listener` whenever a tool begins or ends. */
export function onMode(listener) { listeners.add(listener); }

/** Begins a tool; `end` is called when it ends, by whatever means. */
export function begin(name, end) {
  endMode();
  current = { name, end };
  for (const listener of listeners) listener(name);
}

/** Ends the tool in use, without taking what it had begun; returns whether there was one. */
export function endMode() {
  if (!current) return false;
  const { end } = current;
  current = null;
  end();
  for (const listener of listeners) listener(null);
  return true;
}
