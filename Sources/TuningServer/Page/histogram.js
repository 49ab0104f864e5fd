// How the light of the picture is distributed, in stops from reference white.
import { chooseByArrows, element } from './element.js';
import { latest } from './latest.js';
import { api } from './protocol.js';
import { emit, on, store } from './store.js';
import { button, percent, signed } from './toolparts.js';

const colors = { red: '#ff5a4d', green: '#3fce5a', blue: '#5a8cff', luminance: '#e6e6e6' };
const shown = { All: Object.keys(colors), L: ['luminance'], R: ['red'], G: ['green'], B: ['blue'] };
const names = { All: 'All channels', L: 'Luminance', R: 'Red', G: 'Green', B: 'Blue' };

/** Draws the histogram into `host`, and keeps it up to date. */
export function startHistogram(host) {
  let light = null;
  let measured = 0;
  let choice = 'All';
  const canvas = element('canvas', { class: 'histogram-canvas', role: 'img' });
  const brightest = element('span', { title: 'Brightest value, from reference white' });
  const clipped = element('p', {
    class: 'histogram-facts', title: 'Photosites that are saturated at the sensor',
  });
  const choices = element('div', {
    class: 'histogram-choices', role: 'group', 'aria-label': 'Channels of the histogram',
  });
  for (const name of Object.keys(shown)) {
    choices.append(button(name, names[name], () => {
      choice = name;
      show();
    }, { pressed: name === choice }));
  }
  chooseByArrows(choices);
  host.replaceChildren(canvas,
    element('div', { class: 'histogram-below' }, brightest, choices), clipped);

  function show() {
    for (const each of choices.children) {
      const isChosen = each.textContent === choice;
      each.setAttribute('aria-pressed', String(isChosen));
      // One stop of the Tab key for all of them; arrows choose.
      each.tabIndex = isChosen ? 0 : -1;
    }
    canvas.setAttribute('aria-label', light ? summary(light) : 'Histogram: not measured yet');
    brightest.textContent = light
      ? `Brightest ${signed(Math.log2(light.contentHeadroom))} stops` : '';
    clipped.textContent = !light ? '' : light.saturated.some((share) => share > 0)
      ? `Clipped at the sensor: ${light.saturated
        .map((share, n) => `${'RGB'[n]} ${percent(share)}`).join(' · ')}`
      : 'Nothing is clipped at the sensor';
    draw(canvas, light, shown[choice], store.picture?.state?.fileHeadroom);
  }

  let isMoving = false;
  const measure = latest(async () => {
    const { picture } = store;
    if (!picture?.state) return;
    const answer = await api.light(picture.id, picture.own, isMoving);
    if (picture !== store.picture) return;
    light = answer;
    measured = performance.now();
    emit('light', light);
    show();
  }, 120);
  on('picture', () => {
    light = null;
    show();
    measure();
  });
  // While the hand moves the picture needs the machine more.
  on('values', ({ isLive }) => {
    isMoving = isLive;
    if (!isLive || performance.now() - measured > 600) measure();
  });
  new ResizeObserver(show).observe(canvas);
  show();
}

/** Left and right end of the axis in stops. */
function axis(light, fileHeadroom) {
  const last = light.firstStop + light.luminance.length / light.binsPerStop;
  const headroom = Math.max(light.contentHeadroom, fileHeadroom ?? 1, 2);
  return [Math.max(light.firstStop, -10), Math.min(last, Math.ceil(Math.log2(headroom) + 0.25))];
}

function draw(canvas, light, channels, fileHeadroom) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!width || !height) return;
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  pen.fillStyle = '#1d1d1d';
  pen.fillRect(0, 0, width, height);
  if (!light) return;
  const [from, to] = axis(light, fileHeadroom);
  const bottom = height - height / 6;
  const x = (stops) => (stops - from) / (to - from) * width;

  pen.fillStyle = '#34322b';
  pen.fillRect(x(0), 0, width - x(0), bottom);
  pen.font = `${height / 9.6}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  for (let stop = Math.ceil(from); stop < to; stop++) {
    pen.fillStyle = stop === 0 ? '#ffffff' : stop % 2 ? '#2c2c2c' : '#454545';
    pen.fillRect(Math.round(x(stop)), 0, 1, bottom);
    if (stop % 2 || stop === 0) continue;
    const isAtEdge = x(stop) < 12 || x(stop) > width - 12;
    if (isAtEdge || Math.abs(x(stop) - x(0)) < 26) continue;
    pen.fillStyle = '#c4c4c4';
    pen.fillText(signed(stop, 0), x(stop), height - 4);
  }
  pen.fillStyle = '#ffffff';
  pen.fillText('white', Math.min(x(0), width - 16), height - 4);

  // The first bin holds all that is darker, and must not set the scale; nor a single peak.
  const first = Math.max(0, Math.round((from - light.firstStop) * light.binsPerStop));
  const heights = channels.flatMap((name) => light[name].slice(first + 1)).sort((a, b) => a - b);
  const top = Math.max(heights[Math.floor(0.995 * (heights.length - 1))] ?? 0, 1e-6) * 1.1;
  const y = (share) => bottom - Math.sqrt(Math.min(share / top, 1)) * (bottom - 4);
  for (const name of channels) {
    const isLine = name === 'luminance' && channels.length > 1;
    pen.beginPath();
    pen.moveTo(0, bottom);
    light[name].slice(first).forEach((share, n) => {
      const stop = light.firstStop + (first + n + 0.5) / light.binsPerStop;
      pen.lineTo(x(stop), y(share));
    });
    pen.lineTo(width, bottom);
    pen.globalCompositeOperation = isLine ? 'source-over' : 'screen';
    pen.globalAlpha = isLine ? 0.9 : 0.75;
    [pen.fillStyle, pen.strokeStyle] = [colors[name], colors[name]];
    if (isLine) pen.stroke(); else pen.fill();
  }
  pen.globalCompositeOperation = 'source-over';
  pen.globalAlpha = 1;
  if (light.saturated.some((share) => share > 0)) drawClipping(pen, light.saturated, width);
  // How far the light of the picture goes.
  const end = x(Math.log2(light.contentHeadroom));
  pen.fillStyle = '#ffc83d';
  pen.fillRect(Math.min(Math.round(end), width - 2), 4, 1.5, bottom - 4);
}

/** Three squares in the corner: channels of which photosites are saturated. */
function drawClipping(pen, saturated, width) {
  ['red', 'green', 'blue'].forEach((name, n) => {
    pen.fillStyle = saturated[n] > 0 ? colors[name] : '#3a3a3a';
    pen.fillRect(width - 30 + 9 * n, 5, 7, 7);
  });
}

/** The histogram in words. */
export function summary(light) {
  const all = light.luminance.reduce((sum, share) => sum + share, 0) || 1;
  const below = (part) => {
    let sum = 0;
    const n = light.luminance.findIndex((share) => (sum += share) >= part * all);
    return light.firstStop + (n + 0.5) / light.binsPerStop;
  };
  const above = light.luminance.filter((_, n) =>
    light.firstStop + n / light.binsPerStop >= -1e-6).reduce((sum, share) => sum + share, 0) / all;
  const clipped = ['red', 'green', 'blue']
    .map((name, n) => `${name} ${percent(light.saturated[n])}`).join(', ');
  return `Histogram in stops from reference white. Shadows (5 %) ${signed(below(0.05))}, `
    + `median ${signed(below(0.5))}, highlights (95 %) ${signed(below(0.95))} stops. `
    + `${percent(above)} of the picture is above reference white; the brightest value is `
    + `${signed(Math.log2(light.contentHeadroom))} stops. Clipped at the sensor: ${clipped}.`;
}
