// Two pictures side by side, under one zoom: the open one, and another one that the arrow keys
// change. The better one is picked.

import { element } from './element.js';
import { guideTo, show } from './filmstrip.js';
import { gestures } from './gestures.js';
import { Layer } from './layer.js';
import { set } from './marks.js';
import { begin, endMode, mode } from './modes.js';
import { pictures } from './pictures.js';
import { previewURL } from './preview.js';
import { api } from './protocol.js';
import { Rendering } from './rendering.js';
import { on, store } from './store.js';
import { otherView, view } from './view.js';
import { body, viewer } from './viewer.js';

const embedded = element('img', { alt: '' });
const layers = element('div', { class: 'pair-layers' });
const pane = element('section', {
  id: 'pair', 'aria-label': 'Picture beside', tabindex: '0', hidden: true,
}, embedded, layers);
viewer.element.after(pane);
const mine = otherView();
const layer = new Layer(layers, 'pair', 'The picture beside', mine);

/** The other picture; its values, and whether its size is known: not before it is rendered. */
let other = null;
let own = null;
let isKnown = false;
/** The identities that it is one of; null for all. */
let among = null;

const captions = [viewer.overlay, pane].map((parent, n) => {
  const stop = (event) => event.stopPropagation();
  const caption = element('div', {
    class: 'pair-caption', hidden: true, onpointerdown: stop, ondblclick: stop,
  }, element('span'), element('button', {
    type: 'button', title: 'Pick this picture, and not the other one', onclick: () => choose(n),
  }, 'Choose'));
  parent.append(caption);
  return caption;
});

/** Says under each picture what it is and how it is marked. */
function label() {
  [pictures.open, other?.id].map(pictures.entry).forEach((entry, n) => {
    const { name = '', rating, pick } = entry ?? {};
    captions[n].firstChild.textContent = [
      name, '★'.repeat(Math.max(0, rating)), { picked: '⚑', rejected: '✕' }[pick]].filter(Boolean).join(' ');
    captions[n].lastChild.ariaLabel = `Choose ${name}`;
  });
}

const rendering = new Rendering({
  request: () => own && { id: other.id, version: 0, body: body(own, 'pair', !isKnown, mine) },
  async deliver(result, { id }) {
    if (other?.id !== id) return;
    [mine.whole.width, mine.whole.height] = result.whole;
    await layer.take(result, 0);
    embedded.hidden = true;
    if (!isKnown && !view.isFit) rendering.want();
    isKnown = true;
    link();
  },
  fail,
});

function fail(error) { if (error) captions[1].firstChild.textContent = error.message; }

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
  [other, own, isKnown] = [entry, null, false];
  rendering.cancel();
  layer.clear();
  embedded.hidden = false;
  embedded.src = previewURL(entry.id);
  label();
  guideTo({ id: entry.id, step: (by) => take(next(by)), take });
  try {
    const { edit } = await api.document(entry.id);
    if (other !== entry) return;
    own = edit.own;
    rendering.want();
  } catch (error) {
    if (other === entry) fail(error);
  }
}

/** The picture behind or before `from`, without the open one. */
function next(by, from = other.id) {
  const ids = (among ?? pictures.all()).filter((id) => id !== pictures.open || id === from);
  return pictures.entry(ids[ids.indexOf(from) + Math.sign(by)]);
}

/** Picks one of the two. It is open then, and the next one beside it. */
function choose(n) {
  const both = [pictures.open, other.id].map(pictures.entry);
  if (both.includes(undefined)) return;
  const [better, worse] = n ? both.reverse() : both;
  const changes = [{ ids: [better.id], pick: 'picked' }];
  if (worse.pick === 'picked') changes.push({ ids: [worse.id], pick: null });
  set(changes, `Picked: ${better.name}`);
  const coming = next(1) ?? worse;
  if (n) show(better);
  take(coming);
}

/** Begins comparing the open picture with another selected one, else the next one, or ends it. */
export function togglePair() {
  const wasOn = mode() === 'pair';
  endMode();
  const { picture, selection } = store;
  if (wasOn || !picture) return;
  among = selection.length > 2 ? selection : null;
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
  document.getElementById('main').classList.toggle('has-pair', isOn);
  for (const each of [pane, ...captions]) each.hidden = !isOn;
}

function follow() {
  if (!other) return;
  link();
  if (isKnown) rendering.want();
}
viewer.onMoved(follow);
new ResizeObserver(([entry]) => {
  mine.measure(entry);
  follow();
}).observe(pane);
embedded.addEventListener('load', () => {
  if (isKnown) return;
  [mine.whole.width, mine.whole.height] = [embedded.naturalWidth, embedded.naturalHeight];
  link();
});
for (const name of ['opening', 'listed']) on(name, label);
gestures(Object.create(viewer, { element: { value: pane } }));
