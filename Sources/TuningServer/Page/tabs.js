// The pages of the panel, one of which is seen. On small screens each part of a page has a tab.

import { chooseByArrows, element } from './element.js';

const list = document.getElementById('panel-tabs');
const pages = document.getElementById('panel-pages');

function makeTab(id, title, page, part, kind) {
  const button = element('button', {
    type: 'button', role: 'tab', id: `tab-${id}`, class: kind, 'aria-controls': page.id,
    'aria-selected': 'false', tabindex: '-1', onclick: () => select(button, page, part),
  }, title);
  return button;
}

function select(button, page, part) {
  for (const other of list.children) {
    const isSelected = other === button;
    other.setAttribute('aria-selected', String(isSelected));
    other.tabIndex = isSelected ? 0 : -1;
  }
  for (const other of pages.children) other.hidden = other !== page;
  page.setAttribute('aria-labelledby', button.id);
  page.scrollTop = 0;
  page.dispatchEvent(new CustomEvent('select', { detail: part }));
  button.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** A new page of the panel, behind those that are there; `page.select()` shows it. */
export function tab(id, title) {
  const page = element('div', { role: 'tabpanel', id: `page-${id}`, tabindex: '0' });
  const button = makeTab(id, title, page, null, null);
  page.select = () => [...list.querySelectorAll(`[aria-controls="${page.id}"]:not(.is-part)`)]
    .find((each) => each.checkVisibility())?.click();
  list.append(button);
  pages.append(page);
  page.hidden = true;
  if (list.children.length === 1) select(button, page, null);
  return page;
}

/**
 * Tabs for parts `[{id, title}]` of the first page, and one for all of it, which take the place of
 * its tab on small screens. The event "select" of the page names the part; null is all.
 */
export function tabsForParts(page, parts) {
  for (const old of list.querySelectorAll('.is-part, .is-all')) old.remove();
  const [whole] = list.children;
  whole.classList.add('is-whole');
  whole.before(...parts.map(({ id, title }) => makeTab(`part-${id}`, title, page, id, 'is-part')));
  whole.after(makeTab('all', 'All', page, null, 'is-all'));
  suit();
}

/** Selects another tab where the selected one is not shown any more, as a window was resized. */
function suit() {
  const all = [...list.children];
  const isShown = (each) => each.checkVisibility();
  if (!all.some((each) => each.ariaSelected === 'true' && isShown(each))) {
    all.find(isShown)?.click();
  }
}

new ResizeObserver(suit).observe(list);
chooseByArrows(list);
