// High dynamic range: shown where the display has it, compared with SDR in place; elsewhere said,
// with the highlights brought down by two or four stops to look at them.
import { element } from './element.js';
import { button } from './toolparts.js';

const highRange = matchMedia('(dynamic-range: high)');
const downs = [0, 2, 4];

/** Buttons for `toolbar`; returns `{toggle}`: HDR and SDR, or the next number of stops. */
export function startHDR(toolbar, viewer, announce) {
  const options = viewer.requestOptions;
  const group = element('div', { class: 'tool-group hdr-group', role: 'group' });
  const label = element('span', { class: 'picture-label stops-label', hidden: true });
  viewer.overlay.append(label);
  toolbar.append(group);
  let buttons = [];

  function show() {
    buttons.forEach((each) => each.element.setAttribute('aria-pressed', String(each.isOn())));
    label.hidden = !options.stopsDown;
    label.textContent = `Highlights: the HDR rendition ${options.stopsDown} stops down`;
    // At once; the SDR rendition itself follows.
    document.getElementById('layers').classList.toggle('is-standard-range', !options.isHDR);
  }

  function set(change, words) {
    Object.assign(options, change);
    show();
    viewer.refresh();
    announce(words, 'quiet');
  }

  const setHDR = (isHDR) => set({ isHDR }, isHDR ? 'High dynamic range.' : 'The SDR rendition.');
  const setDown = (stopsDown) => set({ stopsDown }, stopsDown
    ? `The HDR rendition ${stopsDown} stops down.` : 'The SDR rendition.');

  /** The buttons that suit the display. */
  function make() {
    const isHigh = highRange.matches;
    if (isHigh) {
      Object.assign(options, { isHDR: true, stopsDown: 0 });
      buttons = [true, false].map((isHDR) => ({
        isOn: () => options.isHDR === isHDR,
        element: button(isHDR ? 'HDR' : 'SDR', isHDR
          ? 'Show high dynamic range' : 'Show the SDR rendition', () => setHDR(isHDR),
        { pressed: false, key: 'h' }),
      }));
      group.ariaLabel = 'Dynamic range; this display shows HDR';
      group.replaceChildren(...buttons.map((each) => each.element));
    } else {
      Object.assign(options, { isHDR: false });
      buttons = downs.map((stops) => ({
        isOn: () => options.stopsDown === stops,
        element: button(stops ? `−${stops}` : 'SDR look', stops
          ? `Look at the highlights: the HDR rendition ${stops} stops down`
          : 'Show the SDR rendition', () => setDown(stops), { pressed: false, key: 'h' }),
      }));
      group.ariaLabel = 'Highlights on this SDR display';
      group.replaceChildren(element('span', {
        class: 'hdr-note',
        title: 'This display or browser has no high dynamic range: the SDR rendition is shown. '
          + '−2 and −4 bring the highlights of the HDR rendition into its range.',
      }, 'SDR display'), ...buttons.map((each) => each.element));
    }
    show();
  }

  highRange.addEventListener('change', () => {
    make();
    viewer.refresh();
  });
  make();
  return {
    toggle() {
      if (highRange.matches) setHDR(!options.isHDR);
      else setDown(downs[(downs.indexOf(options.stopsDown) + 1) % downs.length]);
    },
  };
}
