// The picture: the embedded preview at once, then our renderings of what is seen.
//
// For tools on the picture: `viewer.toPicture`, `fromPicture`, `pictureRect`, `onRendered`,
// `onMoved`, `overlay`, `requestOptions` with `refresh()`.

import { gestures } from './gestures.js';
import { isWideGamut, Layer } from './layer.js';
import { previewURL } from './preview.js';
import { api } from './protocol.js';
import { Rendering } from './rendering.js';
import { on, store } from './store.js';
import { view } from './view.js';

const element = document.getElementById('viewer');
const embedded = document.getElementById('embedded');
const message = document.getElementById('view-message');
const progress = document.getElementById('view-progress');
const layers = document.getElementById('layers');
const highRange = matchMedia('(dynamic-range: high)');

const main = new Layer(layers, 'main', 'The developed picture', view);
const before = new Layer(layers, 'compare', 'Before', view);
const renderedHandlers = new Set();
const movedHandlers = new Set();
/** Counts changes of what is shown, so that older renderings are known. */
let version = 0;
/** Whether a hand moves a value. */
let isMoving = false;
/** The version that is to be exact, after a draft of it. */
let exact = -1;
/** The version of the draft that is shown; none where an exact picture is. */
let draft = -1;

function subscribe(handlers, handler) {
  handlers.add(handler);
  return () => handlers.delete(handler);
}

function tell(handlers, detail) {
  for (const handler of [...handlers]) {
    try { handler(detail); } catch (error) { reportError(error); }
  }
}

export const viewer = {
  element,
  /** An element over the picture, of the size of the viewer, for handles and guides. */
  overlay: document.getElementById('view-overlay'),

  /**
   * What tools want of renderings; call `refresh()` after a change.
   *
   * `overlays`: of "sensorClipping", "gamut", "highlights". `isHDR`: HDR where the display has it.
   * `stopsDown`: 0…4. `isUncropped`: all of the picture, without angle and perspective. `compare`:
   * null, or `{own, at}`: what is left of `at` (0…1 of the viewer's width) shows the values `own`.
   */
  requestOptions: { overlays: [], isHDR: false, stopsDown: 0, isUncropped: false, compare: null },

  /** Whether the display and the browser show high dynamic range. */
  get isHighRange() { return highRange.matches; },

  /** Renders again with `requestOptions`. */
  refresh() {
    version += 1;
    applyCompare();
    rendering.want({ isLast: true });
    if (viewer.requestOptions.compare) comparing.want({ isLast: true });
  },

  /** Moves the divider of `requestOptions.compare`, without rendering. */
  moveDivider(at) {
    if (!viewer.requestOptions.compare) return;
    viewer.requestOptions.compare.at = at;
    applyCompare();
  },

  /** The pixel of the finished picture, or of the uncropped one while that is shown. */
  toPicture(clientX, clientY) {
    const box = element.getBoundingClientRect();
    const { origin, scale, density, whole } = view;
    const x = ((clientX - box.left) * density - origin.x) / scale;
    const y = ((clientY - box.top) * density - origin.y) / scale;
    return { x, y, isInside: x >= 0 && y >= 0 && x < whole.width && y < whole.height };
  },

  /** Where a pixel of the picture is in the window. */
  fromPicture(x, y) {
    const box = element.getBoundingClientRect();
    const { origin, scale, density } = view;
    return {
      x: box.left + (origin.x + x * scale) / density, y: box.top + (origin.y + y * scale) / density,
    };
  },

  /** Where all of the picture is in the window, CSS pixels; parts of it may be out of sight. */
  pictureRect() {
    const { x, y } = viewer.fromPicture(0, 0);
    const { scale, density, whole } = view;
    return new DOMRect(x, y, whole.width * scale / density, whole.height * scale / density);
  },

  /** Width and height of the picture that is shown. */
  get whole() { return view.whole; },

  /** "fit", or device pixels for each of the picture. */
  get zoom() { return view.zoom; },

  /** The zoom at which all of the picture is seen. */
  get fitScale() { return view.fitScale; },

  /** Shows at `zoom`; what is at the place in the window stays there. */
  setZoom(zoom, clientX, clientY) {
    const box = element.getBoundingClientRect();
    // The same place of a picture beside it counts, too.
    const place = clientX === undefined ? []
      : [((clientX - box.left) % box.width) * view.density, (clientY - box.top) * view.density];
    view.zoomAt(zoom, ...place);
    moved();
  },

  /** Between fit and 100 %. */
  toggleZoom(clientX, clientY) { viewer.setZoom(view.isFit ? 1 : 'fit', clientX, clientY); },

  /** Moves the picture by CSS pixels. */
  pan(x, y) {
    view.pan(x * view.density, y * view.density);
    moved();
  },

  /** Calls `handler(result)` after each rendering is shown; returns what ends that. */
  onRendered: (handler) => subscribe(renderedHandlers, handler),
  /** Calls `handler()` whenever the picture is at another place or of another size. */
  onMoved: (handler) => subscribe(movedHandlers, handler),
};

/** The body of a request for `own`, of the part that is seen in `from` unless `isWhole`. */
export function body(own, name, isWhole = false, from = view) {
  const { overlays, isHDR, stopsDown, isUncropped } = viewer.requestOptions;
  const part = isWhole ? null : from.part;
  const showsHDR = isHDR && viewer.isHighRange && !stopsDown && !overlays.length;
  const fit = isWhole ? [from.box.width, from.box.height] : from.fit(part);
  return {
    own, part, fit, form: showsHDR ? 'avif' : 'rgba8', isHDR: showsHDR || stopsDown > 0, stopsDown,
    isWideGamut, overlays, isUncropped, viewer: name,
    allowsDraft: name === 'main' && exact !== version,
  };
}

function wanted(name, own, isWhole) {
  const { picture } = store;
  if (!picture?.state) return null;
  return { id: picture.id, version, body: body(own(picture), name, isWhole) };
}

let progressTimer;
const work = { isOpening: false, isRendering: false };

/** Says that a picture is on its way, to the eye only where that takes long. */
function tellBusy(change) {
  Object.assign(work, change);
  const isBusy = work.isOpening || work.isRendering;
  element.setAttribute('aria-busy', String(isBusy));
  if (!isBusy) {
    clearTimeout(progressTimer);
    progressTimer = undefined;
    progress.hidden = true;
  } else {
    progressTimer ??= setTimeout(() => { progress.hidden = false; }, 300);
  }
}

const rendering = new Rendering({
  request: () => wanted('main', (picture) => picture.own),
  async deliver(result, { id, version: made }) {
    if (store.picture?.id !== id) return;
    setWhole(result.whole);
    await main.take(result, made);
    embedded.hidden = true;
    draft = result.isDraft ? made : -1;
    element.dataset.shown = made;
    if (!isMoving) finishDraft();
    tell(renderedHandlers, result);
    if (!view.isFit) refreshBackdropLater();
  },
  fail(error) {
    message.hidden = !error;
    message.textContent = error?.message ?? '';
  },
  busy(isBusy) { tellBusy({ isRendering: isBusy }); },
});

/** Asks for the exact picture where a draft of the values of now is shown. */
function finishDraft() {
  if (draft !== version) return;
  exact = version;
  rendering.want();
}

const comparing = new Rendering({
  request: () => (viewer.requestOptions.compare
    ? wanted('compare', () => viewer.requestOptions.compare.own) : null),
  deliver: (result, { id, version: made }) => (
    store.picture?.id === id ? before.take(result, made) : undefined),
});

// The soft picture under a zoomed one, which is seen while it is moved.
const backdrop = new Rendering({
  request: () => wanted('backdrop', (picture) => picture.own, true),
  deliver: (result, { id, version: made }) => {
    // Newer than the part, it would hide it.
    if (store.picture?.id === id && made === version) return main.take(result, made - 0.5);
    return undefined;
  },
});

let backdropTimer;
let backdropVersion = -1;

function refreshBackdropLater() {
  clearTimeout(backdropTimer);
  if (backdropVersion === version || !view.part) return;
  backdropTimer = setTimeout(() => {
    backdropVersion = version;
    if (view.part) backdrop.want();
  }, 600);
}

function applyCompare() {
  const { compare } = viewer.requestOptions;
  before.element.hidden = !compare;
  if (!compare && !before.isEmpty) before.clear();
  before.clip(compare ? compare.at : null);
}

function setWhole([width, height]) {
  if (view.whole.width === width && view.whole.height === height) return;
  view.whole = { width, height };
  view.hold();
  place();
}

/** Puts all that is shown where the view says. */
function place() {
  main.draw();
  before.draw();
  view.lay(embedded);
  element.classList.toggle('is-zoomed', !view.isFit);
  tell(movedHandlers);
}

function moved() {
  place();
  clearTimeout(backdropTimer);
  backdrop.cancel();
  rendering.want();
  if (viewer.requestOptions.compare) comparing.want();
}

const observer = new ResizeObserver(([entry]) => {
  view.measure(entry);
  moved();
});
try {
  observer.observe(element, { box: 'device-pixel-content-box' });
} catch {
  observer.observe(element);
}

gestures(viewer);

let shownId = null;

function showEmbedded() {
  embedded.hidden = !main.isEmpty;
  // Its shape is the best guess until the raw is open.
  if (!store.picture) setWhole([embedded.naturalWidth, embedded.naturalHeight]);
}
embedded.addEventListener('load', showEmbedded);
if (embedded.naturalWidth) showEmbedded();

on('opening', ({ id }) => {
  version += 1;
  const isSame = id === shownId;
  shownId = id;
  rendering.cancel();
  backdrop.cancel();
  comparing.cancel();
  message.hidden = true;
  message.textContent = '';
  tellBusy({ isOpening: true });
  // Opened again, after the server was away, what is seen stays.
  if (isSame) return;
  main.clear();
  before.clear();
  view.zoom = 'fit';
  // The page begins with the first one.
  const url = previewURL(id);
  if (embedded.getAttribute('src') === url) return;
  embedded.hidden = true;
  embedded.src = url;
});

on('picture', () => {
  if (!store.picture) return;
  const { width, height } = store.picture.state;
  setWhole([width, height]);
  viewer.refresh();
  tellBusy({ isOpening: false });
});

on('values', ({ isLive, names }) => {
  if (names.length) version += 1;
  isMoving = isLive;
  if (isLive) {
    rendering.want();
  } else {
    rendering.settle(version);
    finishDraft();
  }
});

on('failed', ({ error }) => {
  message.hidden = false;
  message.textContent = error.message;
  tellBusy({ isOpening: false });
});

highRange.addEventListener('change', () => viewer.refresh());
