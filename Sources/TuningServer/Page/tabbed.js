// Controls of which a tab shows some at a time: the colors of the mixer, the channels of a curve.

import { chooseByArrows, element } from './element.js';
import { showControls } from './fold.js';
import { store } from './store.js';

let number = 0;

/**
 * `parts`: `[{title, members, isOff()}]`; a part that is off has no tab. All that is looked for by
 * `look()` is shown below each other, without tabs. An item of a fold.
 */
export function tabbed(label, parts, look) {
  let selected = parts[0];
  let isFound = false;
  const list = element('div', { class: 'tab-list', role: 'tablist', 'aria-label': label });
  for (const part of parts) {
    const id = `part-${number += 1}`;
    part.tab = element('button', {
      type: 'button', role: 'tab', id, 'aria-controls': `${id}-page`,
      onclick: () => {
        selected = part;
        place();
      },
    }, part.title);
    part.page = element('div', { role: 'tabpanel', id: `${id}-page`, 'aria-labelledby': id },
      part.members.map((member) => member.element));
    list.append(part.tab);
  }
  chooseByArrows(list);
  const host = element('div', { class: 'tabbed' }, list, parts.map((part) => part.page));

  function place() {
    if (selected.isOff?.()) selected = parts.find((part) => !part.isOff?.());
    host.classList.toggle('is-found', isFound);
    list.hidden = isFound;
    for (const part of parts) {
      const isSelected = part === selected;
      part.page.hidden = !isFound && !isSelected;
      part.tab.hidden = Boolean(part.isOff?.());
      part.tab.setAttribute('aria-selected', String(isSelected));
      part.tab.tabIndex = isSelected ? 0 : -1;
      part.tab.classList.toggle('is-changed',
        part.members.some(({ property }) => store.isOwn(property.name)));
    }
  }

  const members = parts.flatMap((part) => part.members);
  return {
    element: host,
    members,
    show(isNamed) {
      const { wanted, isOnlyChanged } = look();
      isFound = wanted.length > 0 || isOnlyChanged;
      const shown = showControls(members, isNamed, look());
      place();
      return shown;
    },
    mark: place,
    open(member) { selected = parts.find((part) => part.members.includes(member)); },
  };
}
