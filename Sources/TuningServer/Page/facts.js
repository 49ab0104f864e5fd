// What is known of the picture: in the header in a line, in the panel in full, with the documents
// that give its values.

import { element } from './element.js';
import { reveal } from './controls.js';
import { on, store } from './store.js';
import { tab } from './tabs.js';
import { origin, originInFull, seconds, title, words } from './wording.js';

const page = tab('facts', 'Info');

function lines(facts) {
  return [
    ['Camera', facts.camera], ['Lens', facts.lens],
    ['Sensitivity', facts.iso && `ISO ${facts.iso}`],
    ['Exposure time', facts.exposureTime && seconds(facts.exposureTime)],
    ['Aperture', facts.aperture && `f/${Number(facts.aperture.toFixed(1))}`],
    ['Focal length', facts.focalLength && `${Number(facts.focalLength.toFixed(1))} mm`],
    ['Date', facts.date],
    ['Size', facts.width && `${facts.width} × ${facts.height}`],
  ].filter(([, value]) => value);
}

function showHeader(name, facts = {}) {
  document.getElementById('picture-name').textContent = name ?? 'rawdev tune';
  const wanted = ['Camera', 'Lens', 'Sensitivity', 'Exposure time', 'Aperture', 'Focal length'];
  const line = document.getElementById('picture-facts');
  line.textContent = lines(facts).filter(([term]) => wanted.includes(term))
    .map(([, value]) => value).join('  ·  ');
  line.title = line.textContent;
}

function show() {
  const { picture } = store;
  if (page.hidden || !picture) return;
  const { document: kept, state } = picture;
  const whole = state ? [['Picture now', `${state.width} × ${state.height}`],
    ['Headroom', `${state.fileHeadroom.toFixed(1)} × white, `
      + `${Math.log2(Math.max(1, state.fileHeadroom)).toFixed(1)} stops`]] : [];
  const given = kept.lines.filter((line) => line.key.startsWith('raw.') && line.layer !== 'engine');
  page.replaceChildren(
    element('h2', {}, 'Photograph'),
    element('dl', { class: 'facts' }, [...lines(picture.facts), ...whole].map(([term, value]) => [
      element('dt', {}, term), element('dd', {}, value)])),
    ...notes('Warnings', state?.warnings ?? []), ...notes('Notes', kept.notes),
    element('h2', {}, 'Sidecar'),
    element('p', {}, kept.path, kept.revision ? '' : ' (none yet)'),
    kept.problem ? element('p', { class: 'why' }, kept.problem) : '',
    element('h2', {}, 'Values on disk'),
    given.length ? element('ul', { class: 'rows' }, given.map((line) => {
      const name = line.key.slice(4);
      return element('li', {}, element('button', {
        type: 'button', title: originInFull(line), onclick: () => reveal(name),
      }, element('span', {}, `${title(name)} ${words(line.value, store.properties.get(name))}`),
      element('span', { class: 'soft' }, origin(line))));
    })) : element('p', { class: 'soft' }, 'All are defaults.'));
}

function notes(heading, texts) {
  return texts.length ? [element('h2', {}, heading),
    element('ul', { class: 'notes' }, texts.map((text) => element('li', {}, text)))] : [];
}

page.addEventListener('select', show);
on('opening', ({ name }) => showHeader(name));
on('picture', () => {
  if (store.picture) showHeader(store.picture.name, store.picture.facts);
  show();
});
on('state', show);
on('document', show);
