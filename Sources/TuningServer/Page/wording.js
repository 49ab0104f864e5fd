// How values and their origins are called on the page.

import { store } from './store.js';

/** A property's name as people say it; of one that is not known its own. */
export const title = (name) => store.properties.get(name)?.title ?? name;

/** A sentence of the program, with properties called as on the page. */
export function sentence(text) {
  return text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g,
    (name) => (store.properties.has(name) ? `“${title(name)}”` : name));
}

/** The unit behind a number, short. */
export function unit(property) {
  return { degrees: '°', 'of reference white': '×' }[property.unit] ?? property.unit;
}

/** The number that is shown for a value, with as many places as its steps need. */
export function number(value, property) {
  const { factor, step } = property?.display ?? { factor: 1, step: 0.01 };
  const [shown, change] = [value * factor, step * factor];
  const places = Math.max(0, Math.ceil(-Math.log10(change) - 1e-9));
  // What was set more finely is not hidden.
  const isFine = Math.abs(Number(shown.toFixed(places)) - shown) > change / 100;
  const text = isFine ? String(Number(shown.toFixed(places + 1))) : shown.toFixed(places);
  return text.replace(/^-(?=[0.]*$)/, '');
}

/** Any value for people. */
export function words(value, property) {
  if (value === null || value === undefined) return 'default';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (typeof value === 'number') {
    const behind = property ? unit(property) : '';
    return number(value, property).replace('-', '−')
      + (behind && behind !== '°' ? ` ${behind}` : behind);
  }
  if (Array.isArray(value)) {
    return property?.kind === 'points' ? `${value.length / 2} points`
      : value.map((item) => Number(item.toFixed(4))).join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Reads a number as people type it: with comma or point, and either minus; NaN for other texts. */
export function typed(text) {
  const plain = text.trim().replace('−', '-').replace(',', '.').replace(/[^\d.e+-]+$/i, '');
  return plain === '' ? NaN : Number(plain);
}

/** Where a line of `recipe explain` comes from, in a word or two. */
export function origin(line) {
  if (!line) return 'default';
  const name = {
    engine: 'default', camera: 'camera rule', cameraISO: 'ISO rule', lens: 'lens rule',
    folder: 'folder', recipe: 'recipe', xmp: 'XMP', sidecar: 'sidecar',
    commandLine: 'command line',
  }[line.layer] ?? line.layer;
  return line.line ? `${name}, line ${line.line}` : name;
}

/** The same in a sentence, with the document. */
export function originInFull(line) {
  if (!line || line.layer === 'engine') {
    return line?.standard ? `Default: ${line.standard}` : 'Default';
  }
  const place = line.path ?? line.source;
  return `From ${place}${line.line ? `, line ${line.line}` : ''}`;
}

/** An exposure time in seconds. */
export function seconds(time) {
  return time >= 0.3 ? `${Number(time.toFixed(1))} s` : `1/${Math.round(1 / time)} s`;
}
