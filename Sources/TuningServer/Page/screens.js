// What is shown beside the picture: the film strip and the panel can be hidden, and the page can
// fill the screen. Until somebody chooses, the style sheet decides by the size of the window.

import { iconButton } from './element.js';
import { addKeys } from './keyboard.js';
import { remember, remembered } from './remembered.js';

const root = document.documentElement;

/** Shows a part of the page, or hides it. */
export function show(name, isShown = true) {
  root.dataset[name] = isShown ? 'shown' : 'hidden';
  remember(name, root.dataset[name]);
}

function add(name, title, keys, run) {
  const button = iconButton(name, title, run, { id: `show-${name}`, title: `${title} (${keys})` });
  document.getElementById('view-buttons').append(button);
  addKeys('View', { keys, text: title, run });
  return button;
}

for (const [name, title, key, id] of [
  ['strip', 'Film strip', '[', 'filmstrip'], ['panel', 'Panel', ']', 'panel']]) {
  const part = document.getElementById(id);
  const kept = remembered(name, null);
  if (kept) root.dataset[name] = kept;
  const button = add(name, title, key, () => show(name, !part.checkVisibility()));
  const mark = () => {
    button.ariaPressed = part.checkVisibility();
    // A single picture has no strip.
    button.hidden = part.hidden;
  };
  new ResizeObserver(mark).observe(part);
  new MutationObserver(mark).observe(part, { attributeFilter: ['hidden'] });
}

if (document.fullscreenEnabled) {
  const button = add('full', 'Full screen', 'f', () => {
    if (document.fullscreenElement) document.exitFullscreen(); else root.requestFullscreen();
  });
  document.addEventListener('fullscreenchange', () => {
    button.ariaPressed = Boolean(document.fullscreenElement);
  });
}
