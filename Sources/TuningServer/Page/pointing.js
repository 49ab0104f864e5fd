// A cross on the picture that a pointer or the arrow keys move: the probe and the white picker.
import { element } from './element.js';
import { begin, endMode } from './modes.js';
import { on, store } from './store.js';


const steps = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/**
 * Begins the tool `name`. Positions are pixels of the finished picture. `onMove` is told where the
 * cross is, `onPick` where the picture was clicked or Enter pressed; `onEnd` that it is over.
 */
export function startPointing(name, viewer, { label, from, onMove, onPick, onEnd }) {
  const { width, height } = store.picture?.state ?? {};
  if (!width) return;
  let at = from ?? { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const area = document.getElementById('viewer');
  const cross = element('div', { class: 'pointing-cross', role: 'application', tabindex: 0,
    'aria-label': label });
  const sheet = element('div', { class: `pointing-sheet pointing-${name}` }, cross);
  const hint = element('p', { class: 'pointing-hint' }, label);
  sheet.append(hint);

  function draw() {
    const seen = viewer.fromPicture(at.x + 0.5, at.y + 0.5);
    const rect = sheet.getBoundingClientRect();
    cross.style.transform = `translate(${seen.x - rect.left}px, ${seen.y - rect.top}px)`;
  }

  function move(to) {
    const { width: columns, height: rows } = store.picture?.state ?? { width, height };
    at = {
      x: Math.min(Math.max(Math.floor(to.x), 0), columns - 1),
      y: Math.min(Math.max(Math.floor(to.y), 0), rows - 1),
    };
    draw();
  }

  function keyed(event) {
    const step = steps[event.key];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // One pixel of the screen, or ten; at 100 % and above one of the picture.
      const [left, right] = [viewer.fromPicture(0, 0), viewer.fromPicture(100, 0)];
      const size = Math.max(1, 100 / Math.max(1e-3, right.x - left.x)) * (event.shiftKey ? 20 : 2);
      move({ x: at.x + step[0] * Math.round(size), y: at.y + step[1] * Math.round(size) });
      onMove?.(at);
    } else if (event.key === 'Enter' || event.key === ' ') {
      onPick(at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  sheet.addEventListener('keydown', keyed);
  sheet.addEventListener('pointermove', (event) => {
    const to = viewer.toPicture(event.clientX, event.clientY);
    cross.classList.toggle('is-away', event.pointerType === 'mouse');
    if (to.isInside && event.buttons & 1) {
      move(to);
      onMove?.(at);
    }
  });
  // What pans the picture must not see a click that picks.
  sheet.addEventListener('pointerdown', (event) => {
    event.stopPropagation();
    const to = viewer.toPicture(event.clientX, event.clientY);
    if (event.button !== 0 || !to.isInside) return;
    move(to);
    onMove?.(at);
  });
  sheet.addEventListener('dblclick', (event) => event.stopPropagation());
  sheet.addEventListener('click', (event) => {
    if (viewer.toPicture(event.clientX, event.clientY).isInside) onPick(at);
  });

  const listening = [viewer.onMoved(draw), on('picture', () => endMode())];
  begin(name, () => {
    listening.forEach((end) => end());
    sheet.remove();
    onEnd?.();
    area.focus({ preventScroll: true });
  });
  document.getElementById('view-overlay').append(sheet);
  draw();
  cross.focus({ preventScroll: true });
  onMove?.(at);
}
