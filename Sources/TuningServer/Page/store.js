// The one state of the page, and who is told when it changes.
//
// Events, by `on(name, handler)`:
//   "start"       properties, groups and formats are known
//   "leave"       the open picture is about to be left: the last moment to change its values
//   "picture"     another picture is open, or none (`store.picture` is null while it opens)
//   "values"      values of the open picture changed: `{names, isLive, step, cause}`; `isLive`
//                 while the hand moves; `cause` is "edit", "history" or "document"
//   "state"       what the properties are on this file at these values
//   "document"    what is on disk, or how the edit of a picture is kept
//   "light"       the histogram of the open picture was measured
//   "tool"        a tool is to begin: "crop", "white"
//   "reveal"      the control of a property is to be shown
//   "steps"       the history of the open picture is another one
//   "selection"   which pictures of the film strip are selected
//   "pictures"    the folder is not what the film strip shows
//   "listed"      `{before, isChosen}`: other pictures are shown than `before`, or in another order,
//                 or more is known of them; `isChosen` by the filter or the order
//   "opening"     `{id, name}` is about to be opened; "failed" `{id, name, error}` where it cannot
//   "server.…"    the events of the server by their type: `on("server.job", …)`
//   "connection"  `{state, isBack}`: "connected", "lost", "refused"; `isBack` after it was lost

import { withNeeds, withWhite } from './white.js';

const handlers = new Map();

/** Calls `handler` at each `name`; returns what ends that. */
export function on(name, handler) {
  if (!handlers.has(name)) handlers.set(name, new Set());
  handlers.get(name).add(handler);
  return () => handlers.get(name).delete(handler);
}

/** Tells those that listen to `name`. One that fails does not keep it from the others. */
export function emit(name, detail) {
  for (const handler of [...(handlers.get(name) ?? [])]) {
    try { handler(detail); } catch (error) { reportError(error); }
  }
}

/** What one raw is set to in this page; kept while other pictures are open. */
class Picture {
  constructor(id, name) {
    this.id = id;
    this.name = name;
    this.facts = {};
    /** Values that the sidecar is to give. Never changed in place. */
    this.own = {};
    /** What is on disk. */
    this.document = null;
    /** The values on which the sidecar and the edit agreed last. */
    this.saved = {};
    /** The history, `{key, title, own, group}`, and the place of the step that holds. */
    this.steps = [{ key: 'opened', title: 'Opened', own: {} }];
    this.at = 0;
    /** The server's word on where the edit is kept. */
    this.status = null;
    /** Gestures that the server does not know of yet. */
    this.queued = 0;
    /** The server's `state`, of `own` or a moment before. */
    this.state = null;
    /** What properties were the last time that the sidecar did not give them, by name. */
    this.unset = new Map();
  }

  /** Takes the server's word on the edit, but for the values. */
  adopt({ saved, steps, at, status }) {
    Object.assign(this, { saved, steps, at, status });
  }

  /** Takes the server's `state` of the values `own`. */
  take(state, own) {
    this.state = state;
    for (const { name, value } of state.adjustments) {
      if (own[name] === undefined) this.unset.set(name, value);
    }
  }

  /** Whether the sidecar gives the values of now. */
  get isKept() { return !this.queued && (this.status?.keeping ?? 'sidecar') === 'sidecar'; }
}

/** The name of the step that the hand is making; null while it rests. */
let gesture = null;

export const store = {
  /** The answer of /api/start. */
  start: null,
  /** Properties by name. */
  properties: new Map(),
  /** The open picture; null while none is. */
  picture: null,
  /** Every picture that was open, by its identity. */
  opened: new Map(),
  /** Identities of the selected pictures, in the order of the folder; the open one is among them. */
  selection: [],
  connection: 'connected',

  setStart(start) {
    store.start = start;
    store.properties = new Map(start.properties.map((property) => [property.name, property]));
    emit('start');
  },

  /** The picture of this identity, made when it is first named. */
  known(id, name) {
    if (!store.opened.has(id)) store.opened.set(id, new Picture(id, name));
    return store.opened.get(id);
  },

  /** Shows that `picture` is open; null that none is. */
  show(picture) {
    if (store.picture) {
      emit('leave');
      store.endGesture();
    }
    store.picture = picture;
    emit('picture');
  },

  /**
   * Sets values of the open picture; `undefined` takes the value from elsewhere. `step` names it in
   * the history; `isLive` while the hand moves.
   */
  set(changes, { step = '', isLive = false, cause = 'edit' } = {}) {
    const { picture } = store;
    if (!picture) return;
    const own = { ...picture.own };
    const all = withNeeds(withWhite(changes, own, store.value), store.value);
    for (const [name, value] of Object.entries(all)) {
      if (value === undefined) delete own[name]; else own[name] = value;
    }
    store.replace(own, { step, isLive, cause });
  },

  /** Whether the hand is making a step. */
  get isMoving() { return gesture !== null; },

  /** Makes what the hand did up to now a step, as if it rested: before anything else is done. */
  endGesture() {
    if (gesture !== null && store.picture) store.replace(store.picture.own, { step: gesture });
  },

  /** Gives the open picture exactly the values `own`. */
  replace(own, { step = '', isLive = false, cause = 'edit' } = {}) {
    const { picture } = store;
    if (!picture) return;
    const before = picture.own;
    const names = [...new Set([...Object.keys(before), ...Object.keys(own)])]
      .filter((name) => !isEqual(before[name], own[name]));
    picture.own = own;
    gesture = isLive ? step : null;
    // The end of a gesture is told even if its last value was, so that it becomes a step.
    if (names.length || !isLive) emit('values', { names, isLive, step, cause });
  },

  /** The value of a property as it now is: own, else inherited, else that of the file. */
  value(name) {
    const { picture } = store;
    if (!picture) return null;
    if (picture.own[name] != null) return picture.own[name];
    if (picture.own[name] === undefined) {
      const line = store.inherited(name);
      if (line && line.layer !== 'engine' && line.value != null) return line.value;
    }
    const inherited = store.inherited(name)?.value ?? null;
    const property = store.properties.get(name);
    // The state is that of a moment before: what was given then is not what holds without it.
    const known = (picture.own[name] === undefined ? unset(picture, property) : null)
      ?? picture.state?.adjustments.find((item) => item.name === name)?.value;
    if (known == null) return inherited;
    switch (property?.kind) {
      case 'number': return known;
      case 'toggle': return known !== 0;
      // Of others the number is a mere code, unless it is the text itself.
      default: return inherited ?? (isChoice(name, known) ? String(known) : null);
    }
  },

  /** Where the value comes from if the sidecar does not give it: a line of `recipe explain`. */
  inherited(name) { return line(store.picture?.document?.inherited, name); },

  /** Whether the page or the sidecar gives the value. */
  isOwn(name) { return store.picture?.own[name] !== undefined; },

  /** Why the property has no effect; null where it has. */
  withoutEffect(name) {
    const items = store.picture?.state?.adjustments;
    return items?.find((item) => item.name === name)?.withoutEffect ?? null;
  },
};

/** What a property is if the sidecar does not give it; null where that is not known. */
function unset(picture, property) {
  if (picture.unset.has(property?.name)) return picture.unset.get(property.name);
  const standard = property?.kind === 'number' ? Number(property.standard || NaN) : NaN;
  return Number.isFinite(standard) ? standard : null;
}

const isChoice = (name, known) => store.properties.get(name).choices.includes(String(known));

/** The line of a property among those of a document. */
export function line(lines, name) { return lines?.find((item) => item.key === `raw.${name}`); }

/** Whether two values of JSON are the same. */
export function isEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key], b[key]));
}
