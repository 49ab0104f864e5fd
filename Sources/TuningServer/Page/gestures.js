// Moving and zooming the picture by hand: drag, wheel, two fingers, double click, arrow keys.

/** CSS pixels that a press may move and still be a click. */
const slack = 4;

export function gestures(viewer) {
  const { element } = viewer;
  const pointers = new Map();
  let hasMoved = false;

  const spread = () => {
    const [a, b] = [...pointers.values()];
    return {
      x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, length: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
    };
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.setPointerCapture(event.pointerId);
    hasMoved = false;
  });

  element.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const now = { x: event.clientX, y: event.clientY };
    if (pointers.size === 2) {
      const from = spread();
      pointers.set(event.pointerId, now);
      const to = spread();
      viewer.setZoom(scaleOf(viewer) * to.length / from.length, to.x, to.y);
      viewer.pan(to.x - from.x, to.y - from.y);
      return;
    }
    if (!hasMoved && Math.hypot(now.x - last.x, now.y - last.y) < slack) return;
    hasMoved = true;
    element.classList.add('is-moving');
    pointers.set(event.pointerId, now);
    viewer.pan(now.x - last.x, now.y - last.y);
  });

  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
    element.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      if (!pointers.size) element.classList.remove('is-moving');
    });
  }

  element.addEventListener('dblclick', (event) => {
    event.preventDefault();
    viewer.toggleZoom(event.clientX, event.clientY);
  });

  element.addEventListener('wheel', (event) => {
    event.preventDefault();
    // A line of a wheel is about 16 pixels of a track pad.
    const way = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    const scale = scaleOf(viewer);
    const zoom = scale * Math.exp(-way * (event.ctrlKey ? 0.01 : 0.002));
    const isFit = zoom <= viewer.fitScale && way > 0;
    viewer.setZoom(isFit ? 'fit' : halt(scale, zoom), event.clientX, event.clientY);
  }, { passive: false });

  element.addEventListener('keydown', (event) => {
    if (event.target !== element || viewer.zoom === 'fit') return;
    const step = event.shiftKey ? 400 : 80;
    const way = {
      ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step],
    }[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    viewer.pan(...way);
  });
}

function scaleOf(viewer) { return viewer.zoom === 'fit' ? viewer.fitScale : viewer.zoom; }

/** Zooming through 100 % halts there, where pixels are those of the file. */
function halt(from, to) {
  return (from < 1 && to > 1) || (from > 1 && to < 1) ? 1 : to;
}
