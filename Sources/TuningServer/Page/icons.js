// Pictures on the buttons of the tools: strokes on a field of 16 × 16.
import { shape } from './element.js';

const paths = {
  crop: 'M4.5 1v10.5h10.5M1 4.5h10.5v10.5',
  white: 'M10 2.5l3.5 3.5-2 2-3.5-3.5zM8.8 5.7l-5.8 5.8-.5 2.5 2.5-.5 5.8-5.8',
  probe: 'M8 1v4.5M8 10.5v4.5M1 8h4.5M10.5 8h4.5M8 8h.01',
  before: 'M2 3h12v10h-12zM8 3v10M4 6h2M4 8h2M4 10h2',
  divider: 'M8 1.5v13M5 5.5l-2.5 2.5 2.5 2.5M11 5.5l2.5 2.5-2.5 2.5',
  clipping: 'M1.5 13l4-8 3 5 2-3 4 6zM11 1.5l1.8 3.2h-3.6z',
  gamut: 'M8 2l6 11h-12zM8 6v3.5M8 11.5h.01',
  zones: 'M2 13h3v-3h3v-3h3v-3h3',
  develop: 'M8 2v8M5 7l3 3 3-3M2.5 11v2.5h11v-2.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M8 13h.01',
  dots: 'M2.5 8h1M7.5 8h1M12.5 8h1',
  left: 'M4 6a5 5 0 1 1-1 4.5M3.5 2.5v4h4',
  right: 'M12 6a5 5 0 1 0 1 4.5M12.5 2.5v4h-4',
  mirror: 'M8 1.5v13M6 4.5l-4.5 7h4.5zM10 4.5l4.5 7h-4.5z',
  swap: 'M2 5.5h11l-2.5-2.5M14 10.5h-11l2.5 2.5',
  flag: 'M4 14.5v-13M4 2.5h9l-2.5 3 2.5 3h-9',
  reject: 'M4 4l8 8M12 4l-8 8',
  grid: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z',
  pair: 'M1.5 3.5h6v9h-6zM8.5 3.5h6v9h-6z',
  sync: 'M2.5 7a5.5 5.5 0 0 1 10-2M13 2v3.5h-3.5M13.5 9a5.5 5.5 0 0 1-10 2M3 14v-3.5h3.5',
  line: 'M2 11l12-5M2.5 9v4M13.5 4v4',
};

/** An icon by its name, for the eyes only. */
export function icon(name) {
  return shape('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    shape('path', { d: paths[name] }));
}
