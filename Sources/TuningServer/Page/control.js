// One property on the page: its name, where its value comes from, what it means, and the part by
// which it is changed, which depends on the kind of its value.

import { choiceControl } from './choice-control.js';
import { curveControl } from './curve-control.js';
import { element, icon } from './element.js';
import { cropControl, turnControl } from './frame-control.js';
import { numberControl } from './number-control.js';
import { line, store } from './store.js';
import { textControl } from './text-control.js';
import { toggleControl } from './toggle-control.js';
import { bringsNeed } from './white.js';
import { whiteControl } from './white-control.js';
import { origin, originInFull, sentence, title, words } from './wording.js';

const special = {
  crop: cropControl, orientation: turnControl, isAutomaticWhiteBalanceEnabled: whiteControl,
};

function made(property, commit) {
  if (special[property.name]) return special[property.name](property, commit);
  switch (property.kind) {
    case 'number': return numberControl(property, commit);
    case 'toggle': return toggleControl(property, commit);
    case 'points': return curveControl(property, commit);
    default:
      return property.choices.length || property.name === 'profileName'
        ? choiceControl(property, commit) : textControl(property, commit);
  }
}

/** The control of a property: `{element, property, update(), matches(text)}`. */
export function control(property) {
  const { name } = property;
  const label = title(name);
  const id = `control-${name}`;
  const commit = (value, { isLive = false } = {}) => {
    store.set({ [name]: value }, { step: `${label} ${words(value, property)}`, isLive });
  };
  const reset = () => {
    if (store.isOwn(name)) store.set({ [name]: undefined }, { step: `Reset ${label}` });
  };

  const part = made(property, commit);
  part.input.id = id;
  part.input.setAttribute('aria-describedby', `${id}-why`);
  const mark = element('button', {
    type: 'button', class: 'mark', 'aria-label': `Reset ${label}`, title: `Reset ${label}`,
    onclick: reset, hidden: true,
  }, icon('reset'));
  const name_ = element(part.isGroup ? 'span' : 'label', {
    class: 'name', id: `${id}-name`, for: part.isGroup ? null : id,
    title: property.summary + (property.interplay ? `\n${sentence(property.interplay)}` : ''),
    ondblclick: reset,
  }, ...(/Mixer|Grading/.test(property.family) ? called(label) : [label]));
  const details = element('div', { class: 'details', id: `${id}-details`, hidden: true });
  const source = element('button', {
    type: 'button', class: 'origin', 'aria-expanded': 'false', 'aria-controls': `${id}-details`,
    onclick: () => {
      details.hidden = !details.hidden;
      source.setAttribute('aria-expanded', String(!details.hidden));
      if (!details.hidden) explain();
    },
  });
  const why = element('p', { class: 'why', id: `${id}-why`, hidden: true });
  const row = element('div', {
    class: `control kind-${property.kind}`, 'data-name': name, role: part.isGroup ? 'group' : null,
    'aria-labelledby': part.isGroup ? `${id}-name` : null,
  }, element('div', { class: 'head' }, name_, part.isTall ? '' : part.body, part.value, why,
    source, mark),
  part.isTall ? part.body : '', details);
  row.addEventListener('dblclick', (event) => {
    if (event.target.matches('input[type="range"]')) reset();
  });
  row.addEventListener('keydown', (event) => {
    const isText = event.target.matches('input:not([type="range"], [type="checkbox"]), .point');
    if (event.key !== 'Delete' && event.key !== 'Backspace' || isText) return;
    event.preventDefault();
    reset();
  });

  /** What holds without the value of the page, and what the page gives. */
  function lines() {
    const { picture } = store;
    const isSaved = store.isOwn(name) && picture.saved[name] !== undefined
      && words(picture.saved[name], property) === words(picture.own[name], property);
    return {
      inherited: store.inherited(name),
      saved: isSaved ? line(picture.document?.lines, name) : undefined,
    };
  }

  function explain() {
    const { inherited, saved } = lines();
    const factor = property.display?.factor ?? 1;
    const range = (by) => (property.minimum === undefined ? property.choices.join(', ')
      : `${plain(property.minimum * by)} to ${plain(property.maximum * by)} ${property.unit}`);
    const shown = (text) => (Number(text) ? plain(Number(text) * factor) : text);
    const facts = [
      ['Range', range(factor)], ['Default', shown(property.standard)],
      ['Without effect at', shown(property.neutral)],
      ['In recipes', factor === 1 ? null : `${range(1)}, default ${property.standard}`],
    ].filter(([, value]) => value);
    const from = store.isOwn(name)
      ? (saved ? originInFull(saved) : setHere) : originInFull(inherited);
    const without = store.isOwn(name) && inherited
      ? `Without it: ${words(inherited.value ?? inherited.standard, property)}. `
        + originInFull(inherited) : null;
    details.replaceChildren(
      element('p', {}, `${property.summary}.`),
      why.hidden ? '' : element('p', { class: 'from' }, `Without effect: ${why.textContent}.`),
      property.interplay ? element('p', {}, sentence(property.interplay)) : '',
      element('dl', {}, facts.map(([term, value]) => [
        element('dt', {}, term), element('dd', {}, value)])),
      store.isOwn(name) || inherited?.layer !== 'engine'
        ? element('p', { class: 'from' }, from) : '',
      without ? element('p', { class: 'from' }, without) : '',
      element('p', {}, element('code', {}, `raw.${name}`)));
  }

  function update() {
    const isOwn = store.isOwn(name);
    const given = store.withoutEffect(name);
    const reason = given && bringsNeed(name, given) ? null : given;
    const { inherited, saved } = lines();
    row.classList.toggle('is-changed', isOwn);
    row.classList.toggle('is-off', Boolean(reason));
    mark.hidden = !isOwn;
    const text = isOwn ? (saved ? origin(saved) : 'set here') : origin(inherited);
    source.textContent = text;
    source.title = isOwn && !saved ? setHere : originInFull(saved ?? inherited);
    source.setAttribute('aria-label', `${label}: ${text}. About this control`);
    source.dataset.layer = isOwn ? (saved ? 'sidecar' : 'page') : (inherited?.layer ?? 'engine');
    why.hidden = !reason;
    why.textContent = why.title = sentence(reason ?? '');
    // A value that the picture was given can always be taken back, by its mark.
    part.update(store.value(name), Boolean(reason) || !store.picture);
    if (!details.hidden) explain();
  }

  const names = `${label} ${name} ${property.family ?? ''} ${property.words}`.toLowerCase();
  const all = `${names} ${property.summary} ${property.interplay}`.toLowerCase();
  return {
    element: row, property, update,
    /** Whether all of `wanted` are in its name, or where `inText` in what is said about it. */
    matches: (wanted, inText) => wanted.every((word) => (inText ? all : names).includes(word)),
  };
}

/** The words of a name, of which some are seen only where they are not plain from around it. */
const called = (label) => label.split(/ (?=\S+$)/)
  .map((text, n) => element('span', { class: n ? 'what' : 'whose' }, n ? ` ${text}` : text));

const setHere = 'Set here; the sidecar does not give it yet';

const plain = (value) => String(Number(value.toFixed(4))).replace('-', '−');
