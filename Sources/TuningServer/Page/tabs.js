// The pages of the panel, one of which is seen.

import { chooseByArrows, element } from './element.js';

const list = document.getElementById('panel-tabs');
const pages = document.getElementById('panel-pages');

/** A new page of the panel, behind those that are there; `page.select()` shows it. */
export function tab(id, title) {
  const button = element('button', {
    type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `page-${id}`,
    onclick: () => page.select(),
  }, title);
  const page = element('div', {
    role: 'tabpanel', id: `page-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0',
  });
  page.select = () => {
    for (const other of list.children) {
      const isSelected = other === button;
      other.setAttribute('aria-selected', String(isSelected));
      other.tabIndex = isSelected ? 0 : -1;
    }
    for (const other of pages.children) other.hidden = other !== page;
    page.dispatchEvent(new Event('select'));
  };
  list.append(button);
  pages.append(page);
  if (list.children.length === 1) page.select();
  else {
    page.hidden = true;
    button.setAttribute('aria-selected', 'false');
    button.tabIndex = -1;
  }
  return page;
}

chooseByArrows(list);
