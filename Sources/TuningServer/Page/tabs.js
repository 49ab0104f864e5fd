// The pages of the panel, one of which is seen. On small screens each part of a page has a tab.

import { chooseByArrows, element } from './element.js';

const list = document.getElementById('panel-tabs');
const pages = document.getElementById('panel-pages');
const shownTabs = () => [...list.children].filter((each) => each.checkVisibility());

function makeTab(id, title, page, { part = null, kind = null } = {}) {
  return element('button', {
    type: 'button', role: 'tab', id: `tab-${id}`, class: kind, 'aria-controls': page.id,
    'aria-selected': 'false', tabindex: '-1',
    onclick: (event) => select(event.currentTarget, page, part),
  }, title);
}

function select(button, page, part = null) {
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
  const page = element('div', { role: 'tabpanel', id: `page-${id}`, tabindex: '0', hidden: true });
  const button = makeTab(id, title, page);
  page.select = () => shownTabs()
    .find((each) => each.matches(`[aria-controls="${page.id}"]:not(.is-part)`))?.click();
  list.append(button);
  pages.append(page);
  if (list.children.length === 1) select(button, page);
  return page;
}

/**
 * Tabs for parts `[{id, title}]` of the first page, and one for all of it, which take the place of
 * its tab on small screens. The event "select" of the page names the part; null is all.
 */
export function tabsForParts(page, parts) {
  for (const old of list.querySelectorAll('.is-part, .is-all')) old.remove();
  list.firstChild.classList.add('is-whole');
  list.firstChild.after(makeTab('all', 'All', page, { kind: 'is-all' }));
  list.prepend(...parts.map(({ id, title }) =>
    makeTab(`part-${id}`, title, page, { part: id, kind: 'is-part' })));
  suit();
}

/** Selects another tab where the selected one is not shown any more, as a window was resized. */
function suit() {
  const shown = shownTabs();
  if (!shown.some((each) => each.ariaSelected === 'true')) shown[0]?.click();
}

new ResizeObserver(suit).observe(list);
chooseByArrows(list);
