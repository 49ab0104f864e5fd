// The buttons for the zoom.

import { element } from './element.js';
import { on, store } from './store.js';
import { viewer } from './viewer.js';

const zooms = [['Fit', 'fit'], ['100 %', 1], ['200 %', 2]];
const shown = element('output', { class: 'zoom-now', 'aria-label': 'Zoom' });
const buttons = zooms.map(([label, zoom]) => element('button', {
  type: 'button', 'aria-pressed': 'false', onclick: () => viewer.setZoom(zoom),
}, label));
document.getElementById('zoom-buttons').append(shown, ...buttons);

function show() {
  const zoom = viewer.zoom === 'fit' ? viewer.fitScale : viewer.zoom;
  shown.textContent = store.picture ? `${Math.round(zoom * 100)} %` : '';
  zooms.forEach(([, value], index) => {
    buttons[index].setAttribute('aria-pressed', String(viewer.zoom === value));
  });
}

viewer.onMoved(show);
on('picture', show);
show();
