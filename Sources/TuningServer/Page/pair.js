// Two pictures side by side, under one zoom: the open one, and another one that the arrow keys
// change. The better one is picked.

import { element } from './element.js';
import { guideTo, show as openPicture } from './filmstrip.js';
import { gestures } from './gestures.js';
import { Layer } from './layer.js';
import { set } from './marks.js';
import { begin, endMode, mode } from './modes.js';
import { pictures } from './pictures.js';
import { previewURL } from './preview.js';
import { api } from './protocol.js';
import { Rendering } from './rendering.js';
import { on, store } from './store.js';
import { makeView, view } from './view.js';
import { body, viewer } from './viewer.js';

const embedded = element('img', { alt: '' });
const layers = element('div', { class: 'pair-layers' });
const pane = element('section', { id: 'pair', 'aria-label': 'Picture beside', tabindex: '0', hidden: true },
  embedded, layers);
const main = document.getElementById('main');
viewer.element.after(pane);

const mine = makeView();
const layer = new Layer(layers, 'pair', 'The picture beside', mine);
/** The other picture and its values; null until they are known. */
let other = null;
let own = null;
/** The pictures that it is one of; null for all. */
let among = null;
/** Whether the size of the other picture is known, not guessed. */
let isKnown = false;
let version = 0;

const captions = [false, true].map((isOther) => element('div', {
  class: 'pair-caption', hidden: true,
  onpointerdown: (event) => event.stopPropagation(),
  ondblclick: (event) => event.stopPropagation(),
}, element('span'), element('button', {
  type: 'button', title: 'Pick this picture, and not the other one', onclick: () => choose(isOther),
}, 'Choose')));
viewer.overlay.append(captions[0]);
pane.append(captions[1]);

const rendering = new Rendering({
  request: () => own && { id: other.id, version, body: body(own, 'pair', !isKnown, mine) },
  async deliver(result, { id, version: made }) {
    if (other?.id !== id) return;
    const [width, height] = result.whole;
    const wasKnown = isKnown;
    isKnown = true;
    mine.whole = { width, height };
    link();
    await layer.take(result, made);
    embedded.hidden = true;
    layer.draw();
    if (!wasKnown && !mine.isFit) rendering.want();
  },
  fail(error) { if (error) label(1, error.message); },
});

/** Says under a picture what it is and how it is marked, or `text`. */
function label(n, text) {
  const { name, rating, pick } = pictures.entry(n ? other?.id : pictures.open) ?? {};
  captions[n].lastChild.ariaLabel = `Choose ${name}`;
  captions[n].firstChild.textContent = text ?? [
    name, '★'.repeat(rating ?? 0), { picked: '⚑', rejected: '✕' }[pick]].filter(Boolean).join(' ');
}

/** Shows the same part as the viewer. */
function link() {
  mine.zoom = view.zoom;
  mine.center = {
    x: view.center.x / view.whole.width * mine.whole.width,
    y: view.center.y / view.whole.height * mine.whole.height,
  };
  mine.hold();
  mine.lay(embedded);
  layer.draw();
}

/** Shows this picture beside the open one. */
async function take(entry) {
  if (!entry || entry.id === pictures.open) return;
  other = entry;
  own = null;
  isKnown = false;
  version += 1;
  rendering.cancel();
  layer.clear();
  embedded.hidden = false;
  embedded.src = previewURL(entry.id);
  label(1);
  guideTo({ id: entry.id, step, take });
  try {
    const { edit } = await api.document(entry.id);
    if (other !== entry) return;
    own = edit.own;
    rendering.want();
  } catch (error) {
    if (other === entry) label(1, error.message);
  }
}

/** The next picture in this direction, without the open one. */
function next(by, from = other.id) {
  const ids = (among ?? pictures.all()).filter((id) => id !== pictures.open || id === from);
  return pictures.entry(ids.filter((id) => id !== pictures.open)
    .find((id) => id === ids[ids.indexOf(from) + Math.sign(by)]));
}

function step(by) { take(next(by)); }

/** Picks one of the two. It is open then, and the next one beside it. */
function choose(isOther) {
  const [better, worse] = [pictures.open, other.id].map(pictures.entry)
    .sort((a) => ((a === pictures.entry(other.id)) === isOther ? -1 : 1));
  const changes = [{ ids: [better.id], pick: 'picked' }];
  if (worse.pick === 'picked') changes.push({ ids: [worse.id], pick: null });
  set(changes, `Picked: ${better.name}`);
  const coming = next(1);
  if (isOther) openPicture(better);
  take(coming ?? worse);
}

/** Begins comparing the open picture with another selected one, else the next one, or ends it. */
export function togglePair() {
  if (mode() === 'pair') {
    endMode();
    return;
  }
  endMode();
  const { picture, selection } = store;
  if (!picture) return;
  among = selection.length > 2 ? [...selection] : null;
  const first = pictures.entry(selection.find((id) => id !== picture.id))
    ?? next(1, picture.id) ?? next(-1, picture.id);
  if (!first) return;
  showPanes(true);
  begin('pair', () => {
    showPanes(false);
    rendering.cancel();
    other = own = null;
    guideTo(null);
  });
  take(first);
}

function showPanes(isOn) {
  main.classList.toggle('has-pair', isOn);
  pane.hidden = !isOn;
  for (const each of captions) each.hidden = !isOn;
  label(0);
}

new ResizeObserver(([entry]) => {
  if (pane.hidden) return;
  mine.measure(entry);
  link();
  rendering.want();
}).observe(pane);
embedded.addEventListener('load', () => {
  if (isKnown) return;
  mine.whole = { width: embedded.naturalWidth, height: embedded.naturalHeight };
  link();
});
viewer.onMoved(() => {
  if (!other) return;
  link();
  if (isKnown) rendering.want();
});
on('listed', () => {
  if (!other) return;
  label(0);
  label(1);
});
on('opening', () => label(0));

const moved = (x, y) => {
  const [from, to] = [pane, viewer.element].map((each) => each.getBoundingClientRect());
  return [x - from.left + to.left, y - from.top + to.top];
};
gestures({
  element: pane,
  get zoom() { return viewer.zoom; },
  get fitScale() { return viewer.fitScale; },
  setZoom: (zoom, x, y) => viewer.setZoom(zoom, ...moved(x, y)),
  toggleZoom: (x, y) => viewer.toggleZoom(...moved(x, y)),
  pan: viewer.pan,
});
