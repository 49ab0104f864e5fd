// A curve through points over the histogram: drag them, press on the curve to add one, arrow keys
// move the one that has the focus, Delete removes it.

import { element, shape } from './element.js';
import { spline } from './spline.js';
import { on } from './store.js';
import { title } from './wording.js';

const side = 240;
/** Least distance of two points along the input. */
const gap = 0.004;
const straight = [[0, 0], [1, 1]];

const at = ([x, y]) => ({ x: x * side, y: (1 - y) * side });
const places = (value) => Number(Math.min(1, Math.max(0, value)).toFixed(3));

/** The area under `shares` of a histogram in stops, along the signals that the curve acts on. */
function backdrop({ firstStop, binsPerStop }, shares) {
  const signal = (n) => {
    const linear = 2 ** (firstStop + n / binsPerStop);
    return linear < 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  };
  const bars = shares.map((share, n) => [signal(n), share / (signal(n + 1) - signal(n))])
    .filter(([x], n) => n > 0 && x < 1);
  const heights = bars.map(([, height]) => height).sort((a, b) => a - b);
  const top = 1.1 * heights[Math.floor(0.97 * (heights.length - 1))] || 1;
  return `M0 ${side}${bars.map(([x, height]) =>
    `L${(x * side).toFixed(1)} ${(side * (1 - Math.min(1, height / top))).toFixed(1)}`).join('')}`
    + `L${side} ${side}`;
}

export function curveControl(property, commit) {
  let points = straight;
  let isDisabled = false;
  let dragged = null;
  let settled;
  const label = title(property.name);
  const channel = /^(red|green|blue)/.exec(property.name)?.[0] ?? 'luminance';

  const histogram = shape('path', { class: `histogram ${channel}` });
  const line = shape('path', { class: 'line' });
  const handles = shape('g', {});
  const grid = shape('path', {
    class: 'grid',
    d: [1, 2, 3].map((k) => `M${k * side / 4} 0V${side}M0 ${k * side / 4}H${side}`).join('')
      + `M0 ${side}L${side} 0`,
  });
  const drawing = shape('svg', {
    class: 'curve', viewBox: `-6 -6 ${side + 12} ${side + 12}`,
  }, shape('rect', { class: 'field', width: side, height: side }), histogram, grid, line, handles);
  const box = element('div', { class: 'curve-box' }, drawing,
    element('p', { class: 'hint' }, 'Press on the curve to add a point.'));

  const place = (event) => {
    const box_ = drawing.getBoundingClientRect();
    const pixels = box_.width / (side + 12);
    return [((event.clientX - box_.left) / pixels - 6) / side,
      1 - ((event.clientY - box_.top) / pixels - 6) / side];
  };

  drawing.addEventListener('pointerdown', (event) => {
    if (isDisabled || event.button !== 0) return;
    event.preventDefault();
    const [x, y] = place(event);
    let index = points.findIndex((point) => Math.hypot(point[0] - x, point[1] - y) < 0.06);
    if (index < 0) {
      index = points.findIndex((point) => point[0] > x);
      if (index < 0) index = points.length;
      const neighbors = [points[index - 1], points[index]];
      if (neighbors.some((point) => point && Math.abs(point[0] - x) < gap)) return;
      points = points.toSpliced(index, 0, [places(x), places(y)]);
      draw();
      send(true);
    }
    dragged = index;
    drawing.setPointerCapture(event.pointerId);
    handles.children[index].focus();
  });
  drawing.addEventListener('pointermove', (event) => {
    if (dragged === null) return;
    move(dragged, place(event));
    send(true);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    drawing.addEventListener(end, () => {
      if (dragged === null) return;
      dragged = null;
      send(false);
    });
  }
  drawing.addEventListener('dblclick', (event) => {
    const [x, y] = place(event);
    const index = points.findIndex((point) => Math.hypot(point[0] - x, point[1] - y) < 0.06);
    if (index > 0 && index < points.length - 1) remove(index);
  });
  handles.addEventListener('keydown', (event) => {
    const index = [...handles.children].indexOf(event.target);
    const step = event.shiftKey ? 0.05 : 0.005;
    const way = {
      ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step],
    }[event.key];
    if (index < 0 || isDisabled) return;
    if (way) {
      event.preventDefault();
      event.stopPropagation();
      move(index, [points[index][0] + way[0], points[index][1] + way[1]]);
      send(true);
      clearTimeout(settled);
      settled = setTimeout(() => send(false), 300);
      handles.children[index].focus();
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      event.stopPropagation();
      if (index > 0 && index < points.length - 1) remove(index);
    }
  });

  function move(index, [x, y]) {
    const low = index > 0 ? points[index - 1][0] + gap : 0;
    const high = index < points.length - 1 ? points[index + 1][0] - gap : 1;
    points = points.with(index, [places(Math.min(high, Math.max(low, x))), places(y)]);
    draw();
  }

  function remove(index) {
    points = points.toSpliced(index, 1);
    draw();
    send(false);
    handles.children[Math.min(index, points.length - 1)].focus();
  }

  function send(isLive) {
    const isStraight = `${points}` === `${straight}`;
    commit(isStraight && !isLive ? undefined : points.flat(), { isLive });
  }

  function draw() {
    const value = spline(points);
    const path = Array.from({ length: 121 }, (_, k) => {
      const { x, y } = at([k / 120, Math.min(1, Math.max(0, value(k / 120)))]);
      return `${k ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    });
    line.setAttribute('d', path.join(''));
    while (handles.children.length > points.length) handles.lastChild.remove();
    while (handles.children.length < points.length) {
      handles.append(shape('circle', { class: 'point', r: 5, tabindex: 0, role: 'img' }));
    }
    points.forEach((point, index) => {
      const { x, y } = at(point);
      const handle = handles.children[index];
      handle.setAttribute('cx', x.toFixed(2));
      handle.setAttribute('cy', y.toFixed(2));
      handle.setAttribute('aria-label',
        `${label}, point ${index + 1} of ${points.length}: in ${point[0]}, out ${point[1]}`);
    });
  }

  draw();
  on('light', (light) => histogram.setAttribute('d', backdrop(light, light[channel])));
  on('picture', () => histogram.setAttribute('d', ''));
  return {
    isTall: true,
    input: drawing,
    isGroup: true,
    value: '',
    body: box,
    update(now, off) {
      isDisabled = off;
      drawing.classList.toggle('is-off', off);
      if (dragged !== null) return;
      const numbers = Array.isArray(now) && now.length >= 4 ? now : straight.flat();
      if (`${numbers}` === `${points.flat()}`) return;
      points = Array.from({ length: numbers.length >> 1 },
        (_, index) => [numbers[2 * index], numbers[2 * index + 1]]);
      draw();
    },
  };
}
