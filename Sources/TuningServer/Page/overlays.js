// What is marked in the picture: channels clipped at the sensor, colors out of gamut, and the
// zones above reference white.
import { element } from './element.js';
import { icon } from './icons.js';
import { button } from './toolparts.js';

/** With the colors of TuningMarks, in tools.css. */
const kinds = [
  {
    name: 'sensorClipping', icon: 'clipping', title: 'Clipping', key: 'Shift+J',
    label: 'Mark channels that are clipped at the sensor',
    legend: [['red', 'Red'], ['green', 'Green'], ['blue', 'Blue'], ['two', 'Mixed: two'],
      ['all', 'All']],
    caption: 'Clipped at the sensor',
  },
  {
    name: 'gamut', icon: 'gamut', title: 'Gamut', key: 'Shift+G',
    label: 'Mark colors outside of the output’s gamut',
    legend: [['gamut', 'Outside']], caption: 'Gamut of the output',
  },
  {
    name: 'highlights', icon: 'zones', title: 'Zones', key: 'Shift+O',
    label: 'Mark the zones above reference white',
    legend: [['zone-1', '0–1'], ['zone-2', '1–2'], ['zone-3', '2–3'], ['zone-4', '3–4'],
      ['zone-5', '4 and more']],
    caption: 'Stops above reference white',
  },
];

/** Buttons for `toolbar`, a legend on the picture; returns `{toggle(name)}`. */
export function startOverlays(toolbar, viewer, announce) {
  const legend = element('div', { class: 'overlay-legend', hidden: true });
  viewer.overlay.append(legend);
  const buttons = new Map();

  function show() {
    const { overlays } = viewer.requestOptions;
    for (const [name, each] of buttons) {
      each.setAttribute('aria-pressed', String(overlays.includes(name)));
    }
    legend.hidden = overlays.length === 0;
    legend.replaceChildren(...kinds.filter(({ name }) => overlays.includes(name)).map(
      (kind) => element('dl', { 'aria-label': kind.caption },
        element('dt', {}, kind.caption),
        ...kind.legend.map(([color, text]) => element('dd', {},
          element('i', { class: `swatch swatch-${color}` }), text)))));
  }

  function toggle(name) {
    const { overlays } = viewer.requestOptions;
    const isOn = !overlays.includes(name);
    viewer.requestOptions.overlays = kinds.map((kind) => kind.name)
      .filter((each) => each === name ? isOn : overlays.includes(each));
    show();
    viewer.refresh();
    const { caption } = kinds.find((kind) => kind.name === name);
    announce(`${caption}: ${isOn ? 'marked' : 'not marked'}.`, 'quiet');
  }

  const group = element('div', { class: 'tool-group', role: 'group', 'aria-label': 'Marks' });
  for (const kind of kinds) {
    const each = button(kind.title, kind.label, () => toggle(kind.name),
      { pressed: false, key: kind.key, icon: icon(kind.icon) });
    buttons.set(kind.name, each);
    group.append(each);
  }
  toolbar.append(group);
  return { toggle };
}
