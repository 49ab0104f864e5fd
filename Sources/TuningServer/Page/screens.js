// What is shown beside the picture: the film strip and the panel can be hidden, and the page can
// fill the screen. Until somebody chooses, the style sheet decides by the size of the window.

import { iconButton } from './element.js';
import { addKeys } from './keyboard.js';
import { remember, remembered } from './remembered.js';

const root = document.documentElement;
const parts = {
  strip: { title: 'Film strip', key: '[', element: document.getElementById('filmstrip') },
  panel: { title: 'Panel', key: ']', element: document.getElementById('panel') },
};
const view = document.getElementById('view-buttons');

/** Shows a part, or hides it. */
export function show(name, isShown = true) {
  root.dataset[name] = isShown ? 'shown' : 'hidden';
  remember(name, root.dataset[name]);
}

for (const [name, part] of Object.entries(parts)) {
  const { title, key } = part;
  const kept = remembered(name, null);
  if (kept) root.dataset[name] = kept;
  part.isShown = () => part.element.checkVisibility();
  part.toggle = () => show(name, !part.isShown());
  const button = iconButton(name, title, part.toggle, {
    id: `show-${name}`, title: `${title} (${key})`, 'aria-pressed': 'true',
  });
  view.append(button);
  new ResizeObserver(() => {
    button.setAttribute('aria-pressed', String(part.isShown()));
    // There is none of a single picture.
    button.hidden = part.element.hidden;
  }).observe(part.element);
}

function toggleFullScreen() {
  const change = document.fullscreenElement
    ? document.exitFullscreen() : root.requestFullscreen?.();
  change?.catch(() => {});
}

if (document.fullscreenEnabled) {
  const button = iconButton('full', 'Full screen', toggleFullScreen,
    { title: 'Full screen (f)', 'aria-pressed': 'false' });
  view.append(button);
  document.addEventListener('fullscreenchange', () => {
    button.setAttribute('aria-pressed', String(Boolean(document.fullscreenElement)));
  });
}

/** The same as items of a menu, for screens that have no room for the buttons. */
export const items = () => [
  ...Object.values(parts).filter((part) => !part.element.hidden).map((part) => ({
    label: part.title, hint: part.key, isToggle: true, isChecked: part.isShown(), run: part.toggle,
  })),
  ...(document.fullscreenEnabled ? [{
    label: 'Full screen', hint: 'F', isToggle: true,
    isChecked: Boolean(document.fullscreenElement), run: toggleFullScreen,
  }] : []),
];

addKeys('View',
  { keys: '[', text: 'Film strip', run: parts.strip.toggle },
  { keys: ']', text: 'Panel', run: parts.panel.toggle },
  { keys: 'f', text: 'Full screen', run: toggleFullScreen });
