// What is known of the pixel under the pointer, or under the probe, which keys can move.
import { element } from './element.js';
import { latest } from './latest.js';
import { mode } from './modes.js';
import { api } from './protocol.js';
import { startPointing } from './pointing.js';
import { on, store } from './store.js';
import { signed } from './toolparts.js';

const rows = [
  ['scene', 'Scene', 'Scene-linear BT.2020; 1 is reference white'],
  ['nits', 'cd/m²', 'Luminance of the HDR rendition'],
  ['hlg', 'HLG', 'Code values of HLG, 10 bits'],
  ['pq', 'PQ', 'Code values of PQ, 10 bits'],
  ['sdr', 'sRGB', 'Code values of the SDR rendition, 8 bits'],
];

/** Shows the readout in `host`; returns `{probe}`, which begins to measure by keys or touch. */
export function startReadout(host, viewer, announce) {
  let place = null;
  let pinned = null;
  const cells = Object.fromEntries(rows.map(([name]) =>
    [name, ['r', 'g', 'b'].map((channel) => element('td', { class: `readout-${channel}` }))]));
  const position = element('span');
  const stops = element('span', { title: 'Luminance in stops from reference white' });
  const table = element('table', { class: 'readout-table' },
    element('caption', { class: 'spoken' }, 'Pixel under the pointer'),
    element('thead', {}, element('tr', {}, element('td', {}),
      ...['R', 'G', 'B'].map((name) => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, ...rows.map(([name, title, text]) => element('tr', { title: text },
      element('th', { scope: 'row' }, title), ...cells[name]))));
  host.replaceChildren(element('p', { class: 'readout-place' }, position, stops), table);

  function show(readout) {
    host.hidden = !place;
    position.textContent = place ? `${place.x}, ${place.y}` : '';
    stops.textContent = !readout ? ''
      : readout.stops === null || readout.stops === undefined
        ? 'black' : `${signed(readout.stops, 2)} stops`;
    for (const [name] of rows) {
      cells[name].forEach((cell, n) => {
        cell.textContent = readout ? written(readout[name][n]) : '–';
        cell.classList.toggle('is-clipped', name === 'scene' && Boolean(readout?.saturated[n]));
        cell.title = name === 'scene' && readout?.saturated[n] ? 'Clipped at the sensor' : '';
      });
    }
  }

  const ask = latest(async (isOutdated) => {
    const { picture } = store;
    if (!picture?.state || !place) return;
    const asked = place;
    const readout = await api.readout(picture.id, picture.own, asked.x, asked.y);
    if (!place || picture !== store.picture) return;
    show(readout);
    if (mode() === 'probe' && !isOutdated()) announce(inWords(asked, readout), 'quiet');
  }, 30, () => show(null));

  function look(at) {
    place = at && { x: Math.floor(at.x), y: Math.floor(at.y) };
    if (place) ask(); else show(null);
  }

  const area = document.getElementById('viewer');
  for (const name of ['pointermove', 'pointerdown']) {
    area.addEventListener(name, (event) => {
      if (mode() === 'crop') return;
      const at = viewer.toPicture(event.clientX, event.clientY);
      if (at.isInside) look(at); else if (event.pointerType === 'mouse') look(pinned);
    });
  }
  area.addEventListener('pointerleave', (event) => {
    // A finger that is lifted leaves, too, but what it touched is still of interest.
    if (event.pointerType === 'mouse') look(pinned);
  });
  on('picture', () => { place = pinned = null; show(null); });
  on('values', ({ isLive }) => { if (!isLive) ask(); });
  show(null);

  return {
    probe() {
      startPointing('probe', viewer, {
        label: 'Probe: arrow keys move it, Escape ends', from: place,
        onMove: (at) => { pinned = at; look(at); },
        onPick: (at) => { pinned = at; look(at); },
        onEnd: () => { pinned = null; },
      });
    },
  };
}

/** A value of the scene by three digits, a code value as it is. */
function written(value) {
  if (value === undefined || value === null) return '–';
  const size = Math.abs(value);
  const decimals = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(decimals).replace('-', '−');
}

function inWords({ x, y }, { scene, stops, nits, sdr }) {
  const values = (list) => list.map(written).join(', ');
  return `Pixel ${x}, ${y}: ${stops === null ? 'black' : `${signed(stops)} stops`}; scene `
    + `${values(scene)}; ${values(nits)} candela per square meter; sRGB ${values(sdr)}.`;
}
