// The tools on the picture and around it: makes them, and gives them their buttons and keys.
import { startCompare } from './compare.js';
import { toggleCrop, turn } from './crop.js';
import { find } from './controls.js';
import { startDevelop } from './develop.js';
import { element } from './element.js';
import { selectAll, step } from './filmstrip.js';
import { startHDR } from './hdr.js';
import { auto } from './head.js';
import { startHistogram } from './histogram.js';
import { redo, takeSnapshot, undo } from './history.js';
import { icon } from './icons.js';
import { addKeys, startKeyboard } from './keyboard.js';
import { say } from './messages.js';
import { endMode, mode, onMode } from './modes.js';
import { startOverlays } from './overlays.js';
import { startPaste } from './paste.js';
import { startReadout } from './readout.js';
import { save } from './saving.js';
import { show } from './screens.js';
import { on, store } from './store.js';
import './stripbar.js';
import { button } from './toolparts.js';
import { viewer } from './viewer.js';
import { pickWhite } from './whitepicker.js';

const slot = (id) => document.getElementById(id);
const spoken = element('p', { class: 'spoken', role: 'status', 'aria-live': 'polite' });

/** Says what happened. `kind`: "quiet" is for screen readers alone, "error" stays. */
function announce(text, kind = '') {
  if (kind === 'quiet') spoken.textContent = text;
  else say(text, { key: 'tool', kind: kind === 'error' ? 'bad' : 'info' });
}

slot('dialogs').append(spoken);
startHistogram(slot('histogram'));
const readout = startReadout(slot('readout'), viewer, announce);
const paste = startPaste(slot('dialogs'), announce);
const developText = element('span', { class: 'develop-progress' });
const develop = startDevelop(slot('dialogs'), announce, (text) => {
  developText.textContent = text ?? '';
});
const keyboard = startKeyboard(slot('dialogs'));

const toolbar = slot('toolbar');
const group = (label, ...children) =>
  element('div', { class: 'tool-group', role: 'group', 'aria-label': label }, children);

const crop = () => toggleCrop(viewer, announce);
const white = () => { if (isOther('white')) pickWhite(viewer, announce); };
const probe = () => { if (isOther('probe')) readout.probe(); };

/** Whether another tool begins; one in use ends. A crop that was set by eye is kept. */
function isOther(name) {
  const last = mode();
  if (last === 'crop') crop(); else endMode();
  return last !== name;
}

const modeButtons = {
  crop: button('Crop', 'Crop, straighten and turn', crop,
    { pressed: false, key: 'r', icon: icon('crop'), class: 'is-main' }),
  white: button('White', 'Pick white on the picture', white,
    { pressed: false, key: 'w', icon: icon('white'), class: 'is-main' }),
  probe: button('Probe', 'Measure a pixel by keys or touch', probe,
    { pressed: false, key: 'i', icon: icon('probe') }),
};
toolbar.append(group('On the picture', ...Object.values(modeButtons)));
const compare = startCompare(toolbar, viewer, announce);
const overlays = startOverlays(toolbar, viewer, announce);
const developButton = button('Develop', 'Develop pictures into files', () => develop.open(),
  { key: 'e', icon: icon('develop'), class: 'is-main' });
developButton.append(developText);
const pasteButton = button('Copy', 'Copy settings to the selected pictures', () => paste.open(),
  { key: 'c', icon: icon('copy') });
toolbar.append(group('Files', developButton, pasteButton,
  button('Keys', 'Show the keys', () => keyboard.help(),
    { key: '?', icon: icon('help') })));
const hdr = startHDR(toolbar, viewer, announce);

/** Shows the tools that have no room in the row, or hides them again. */
const allTools = button('All', 'All tools', () => {
  allTools.ariaExpanded = slot('toolbar-row').classList.toggle('has-all');
  toolbar.scrollTop = 0;
}, { 'aria-expanded': 'false', icon: icon('dots') });
toolbar.after(allTools);
const fit = () => {
  allTools.hidden = allTools.ariaExpanded === 'false'
    && toolbar.scrollHeight <= toolbar.clientHeight;
};
new ResizeObserver(fit).observe(toolbar);

onMode((name) => {
  for (const [each, made] of Object.entries(modeButtons)) {
    made.setAttribute('aria-pressed', String(each === name));
  }
  document.documentElement.dataset.tool = name ?? '';
});

/** What needs an open picture is off without one. */
function enable() {
  for (const made of [...Object.values(modeButtons), pasteButton]) made.disabled = !store.picture;
  developButton.disabled = !store.start?.count;
}
on('picture', enable);
on('start', enable);
enable();

on('tool', (name) => ({ crop, white })[name]());

addKeys('Pictures',
  { keys: 'ArrowRight', text: 'Next picture', isRepeated: true,
    run: (event) => mode() !== 'crop' && step(1, { isHeld: event.repeat }) },
  { keys: 'ArrowLeft', text: 'Picture before', isRepeated: true,
    run: (event) => mode() !== 'crop' && step(-1, { isHeld: event.repeat }) },
  { keys: 'mod+a', text: 'Select all pictures', run: () => { selectAll(); } },
  { keys: 'z', text: 'Zoom: fit and 100 %', run: () => viewer.toggleZoom() },
  { keys: '← → ↑ ↓', text: 'Move the zoomed picture, where it has the focus' });
addKeys('Values',
  { keys: '← →', text: 'Change the value of a control; with Shift by ten steps' },
  { keys: 'Delete', text: 'Reset a control' },
  { keys: '/', text: 'Find a control', run: () => { show('panel'); find(); } },
  { keys: 'mod+z', text: 'Undo', isRepeated: true, run: () => { undo(); } },
  { keys: ['mod+Shift+z', 'mod+y'], text: 'Redo', isRepeated: true, run: () => { redo(); } },
  { keys: 'a', text: 'Auto: light and color by the picture', run: () => { auto(); } },
  { keys: 's', text: 'Take a snapshot', run: () => { takeSnapshot(''); } },
  { keys: 'mod+s', text: 'Save', isEverywhere: true, run: () => { save(); } });
addKeys('Tools',
  { keys: 'r', text: 'Crop, straighten, turn', run: crop },
  { keys: ',', text: 'Turn left', run: () => turn(-1) },
  { keys: '.', text: 'Turn right', run: () => turn(1) },
  { keys: 'w', text: 'Pick white on the picture', run: white },
  { keys: 'i', text: 'Probe: measure a pixel', run: probe },
  { keys: 'Escape', text: 'Cancel the tool', run: () => endMode() });
addKeys('In a tool',
  { keys: '← → ↑ ↓', text: 'Move the crop, the probe or the picker' },
  { keys: 'Shift+← → ↑ ↓', text: 'Resize the crop; move the others further' },
  { keys: 'Alt+← → ↑ ↓', text: 'Move or resize the crop by a pixel' },
  { keys: 'Enter', text: 'Take it' });
addKeys('Look',
  { keys: '\\', text: 'Before and after', run: () => compare.toggleBefore() },
  { keys: 'y', text: 'Before and after along a divider', run: () => compare.toggleDivider() },
  { keys: 'h', text: 'HDR and SDR; on an SDR display highlights 2 or 4 stops down',
    run: () => hdr.toggle() },
  { keys: 'Shift+j', text: 'Mark clipping at the sensor', run: () => overlays.toggle('sensorClipping') },
  { keys: 'Shift+g', text: 'Mark colors out of gamut', run: () => overlays.toggle('gamut') },
  { keys: 'Shift+o', text: 'Mark zones above white', run: () => overlays.toggle('highlights') });
addKeys('Files',
  { keys: 'e', text: 'Develop', run: () => develop.open() },
  { keys: 'c', text: 'Copy settings to the selected pictures', run: () => paste.open() },
  { keys: '?', text: 'This list', run: () => keyboard.help() });
