// The film strip as a grid of larger pictures over the viewer, and where each picture is in both.

import { begin, endMode, mode } from './modes.js';

/** CSS pixels of a length in the sixteenths of the text size that style sheets count in. */
const scaled = (length) => length * parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
/** Width of a picture of the strip with its gap; filmstrip.css has the same. */
const pitch = scaled(116);
/** Least width of a cell of the grid, and its height. */
const cell = { width: scaled(176), height: scaled(196) };

const strip = document.getElementById('filmstrip');
const main = document.getElementById('main');
const behind = ['toolbar-row', 'viewer'].map((id) => document.getElementById(id));

export const isGrid = () => mode() === 'grid';

/**
 * How pictures lie in `list`: `each` of them, `width` pixels wide, in a line that is `line` pixels
 * along `axis`, of which `view` are seen; `at(position)` is where one is.
 */
export function layout(list) {
  const { clientWidth, clientHeight } = list;
  if (!isGrid()) {
    const at = (n) => [n * pitch, 0];
    return { each: 1, width: pitch, line: pitch, axis: 'scrollLeft', view: clientWidth, at };
  }
  const each = Math.max(1, Math.floor(clientWidth / cell.width));
  const width = Math.floor(clientWidth / each);
  const at = (n) => [(n % each) * width, Math.floor(n / each) * cell.height];
  return { each, width, line: cell.height, axis: 'scrollTop', view: clientHeight, at };
}

/** Shows the grid, or the strip again. */
export function toggleGrid() {
  if (isGrid()) {
    endMode();
    return;
  }
  endMode();
  // The viewer keeps its size below.
  main.style.paddingBottom = `${strip.offsetHeight}px`;
  show(true);
  begin('grid', () => {
    show(false);
    main.style.paddingBottom = '';
  });
}

function show(isOn) {
  strip.classList.toggle('is-grid', isOn);
  for (const each of behind) each.inert = isOn;
}
