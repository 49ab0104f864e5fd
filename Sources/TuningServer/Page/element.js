// Makes elements. Text is always text, never markup, whatever a file name holds.

const vector = 'http://www.w3.org/2000/svg';

/**
 * An element with attributes and children. A function is a listener (`onclick`), `true` an
 * attribute without a value; null, undefined and false are left out. Children are nodes or texts.
 */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(vector, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

const paths = {
  undo: 'M6 5 3 8l3 3M3 8h7a3.5 3.5 0 0 1 0 7H8',
  redo: 'M10 5l3 3-3 3M13 8H6a3.5 3.5 0 0 0 0 7h2',
  more: 'M4 6.5l4 4 4-4',
  reset: 'M3.5 6.5A5 5 0 1 1 3 9M3 3.5v3.2h3.2',
  appearance: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  strip: 'M2 2.5h12v7h-12zM2 12h3v1.5h-3zM6.5 12h3v1.5h-3zM11 12h3v1.5h-3z',
  panel: 'M2 2.5h12v11h-12zM10 2.5v11',
  full: 'M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  settings: 'M2 5h6M12 5h2M10 3v4M2 11h2M8 11h6M6 9v4',
};

/** A picture of 16 × 16 for a button; what it means is said by the button's label. */
export function icon(name) {
  return shape('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    shape('path', { d: paths[name] }));
}

/** A button with an icon; its name is for screen readers and the tooltip. */
export function iconButton(name, label, onclick, attributes = {}) {
  return element('button', {
    type: 'button', class: 'icon', 'aria-label': label, title: label, onclick, ...attributes,
  }, icon(name));
}

/**
 * Lets the arrow keys go round the buttons of `list`, of which one is chosen; of a toolbar, which
 * is one stop of the Tab key, they only go there.
 */
export function chooseByArrows(list, isToolbar = false) {
  const buttons = (where) => [...list.children].filter((each) => each.matches(where));
  list.addEventListener('keydown', (event) => {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = buttons('button:not(:disabled)')
      .filter((each) => each.checkVisibility());
    if (!way || !all.includes(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[(all.indexOf(event.target) + way + all.length) % all.length];
    if (!isToolbar) next.click();
    next.focus();
  });
  if (!isToolbar) return;
  const stop = (at) => buttons('button').forEach((each) => {
    each.tabIndex = each === at ? 0 : -1;
  });
  list.addEventListener('focusin', ({ target }) => target.parentNode === list && stop(target));
  stop(list.firstChild);
}
