// High dynamic range: shown where the display has it, compared with SDR in place; elsewhere said,
// with the highlights brought down by two or four stops to look at them.
import { element } from './element.js';
import { button } from './toolparts.js';

const highRange = matchMedia('(dynamic-range: high)');
const sdr = (text) => ({ text, label: 'Show the SDR rendition', said: 'The SDR rendition.',
  options: { isHDR: false, stopsDown: 0 } });
const choices = {
  high: [{ text: 'HDR', label: 'Show high dynamic range', said: 'High dynamic range.',
    options: { isHDR: true, stopsDown: 0 } }, sdr('SDR')],
  low: [sdr('SDR look'), ...[2, 4].map((stopsDown) => ({
    text: `−${stopsDown}`, said: `The HDR rendition ${stopsDown} stops down.`,
    label: `Look at the highlights: the HDR rendition ${stopsDown} stops down`,
    options: { isHDR: false, stopsDown },
  }))],
};
const note = 'This display or browser has no high dynamic range: the SDR rendition is shown. '
  + '−2 and −4 bring the highlights of the HDR rendition into its range.';

/** Buttons for `toolbar`; returns `{toggle}`: HDR and SDR, or the next number of stops. */
export function startHDR(toolbar, viewer, announce) {
  const options = viewer.requestOptions;
  const group = element('div', { class: 'tool-group hdr-group', role: 'group' });
  const label = element('span', { class: 'picture-label stops-label', hidden: true });
  viewer.overlay.append(label);
  toolbar.append(group);
  /** The choices that suit the display, with their buttons, and the index of the one that holds. */
  let shown = [];
  let now = 0;

  function choose(index) {
    now = index;
    Object.assign(options, shown[now].options);
    shown.forEach((each, n) => each.element.setAttribute('aria-pressed', String(n === now)));
    label.hidden = !options.stopsDown;
    label.textContent = `Highlights: the HDR rendition ${options.stopsDown} stops down`;
    // At once; the SDR rendition itself follows.
    document.getElementById('layers').classList.toggle('is-standard-range', !options.isHDR);
  }

  function press(index) {
    choose(index);
    viewer.refresh();
    announce(shown[now].said, 'quiet');
  }

  function make() {
    const isHigh = highRange.matches;
    shown = choices[isHigh ? 'high' : 'low'].map((each, index) => ({ ...each,
      element: button(each.text, each.label, () => press(index), { pressed: false, key: 'h' }) }));
    group.ariaLabel = isHigh
      ? 'Dynamic range; this display shows HDR' : 'Highlights on this SDR display';
    group.replaceChildren(
      ...isHigh ? [] : [element('span', { class: 'hdr-note', title: note }, 'SDR display')],
      ...shown.map((each) => each.element));
    choose(0);
  }

  highRange.addEventListener('change', () => {
    make();
    viewer.refresh();
  });
  make();
  return { toggle: () => press((now + 1) % shown.length) };
}
