// What the browser keeps between visits. A browser that keeps nothing does no harm.

/** The value kept as `key`, else `otherwise`. */
export function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`rawdev.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps `value` as `key`. */
export function remember(key, value) {
  try {
    localStorage.setItem(`rawdev.${key}`, JSON.stringify(value));
  } catch {
    // It is then kept as long as the page is open.
  }
}
