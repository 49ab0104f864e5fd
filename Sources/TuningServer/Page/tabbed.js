// Controls of which a tab shows some at a time: the colors of the mixer, the channels of a curve.

import { chooseByArrows, element } from './element.js';
import { store } from './store.js';

/** An item of a fold. `parts`: `[{title, members, isOff()}]`; one that is off has no tab. */
export function tabbed(label, parts) {
  let [selected] = parts;
  for (const part of parts) {
    const id = `part-${part.members[0].property.name}`;
    const onclick = () => {
      selected = part;
      mark();
    };
    part.tab = element('button', {
      type: 'button', role: 'tab', id, 'aria-controls': `${id}-page`, onclick }, part.title);
    part.page = element('div', { role: 'tabpanel', id: `${id}-page`, 'aria-labelledby': id },
      part.members.map((member) => member.element));
  }
  const list = element('div', { class: 'tab-list', role: 'tablist', 'aria-label': label },
    parts.map(({ tab }) => tab));
  chooseByArrows(list);

  function mark() {
    if (selected.isOff?.()) selected = parts.find((part) => !part.isOff?.());
    for (const { tab, page, isOff, members } of parts) {
      const isSelected = tab === selected.tab;
      // What is looked for is seen in all of them.
      page.classList.toggle('is-behind', !isSelected);
      tab.hidden = Boolean(isOff?.());
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      tab.classList.toggle('is-changed', members.some((each) => store.isOwn(each.property.name)));
    }
  }

  return {
    element: element('div', { class: 'tabbed' }, list, parts.map(({ page }) => page)),
    members: parts.flatMap((part) => part.members),
    mark,
    open(member) { selected = parts.find((part) => part.members.includes(member)); },
  };
}
