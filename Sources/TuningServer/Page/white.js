// Values that follow from others. The ways of giving the white are alternatives: who gives one of
// them takes back the others.

const alternatives = [
  ['neutralTemperature', 'neutralTint'], ['neutralChromaticity'], ['neutralLocation'],
  ['isAutomaticWhiteBalanceEnabled'], ['whiteFrom', 'whitePatch'],
];

/** All properties that give the white. */
export const whiteNames = alternatives.flat();

/**
 * `changes` with what follows for the white: other ways are no longer given, and a temperature
 * comes with the tint that is seen, as a tint does with the temperature. `value(name)`: what holds.
 */
export function withWhite(changes, own, value) {
  const given = alternatives.find((names) => names.some((name) => changes[name] !== undefined));
  if (!given) return changes;
  const result = { ...changes };
  for (const name of whiteNames) {
    if (name in changes) continue;
    if (!given.includes(name)) {
      if (own[name] !== undefined) result[name] = undefined;
    } else if (own[name] === undefined && typeof value(name) === 'number') {
      result[name] = value(name);
    }
  }
  return result;
}

/** What a value needs to have an effect, and that is set with it: `[name, value]`. */
const need = (name) => (name.endsWith('Gray') ? ['isBlackAndWhiteEnabled', true]
  : /^(shadow|midtone|highlight|global)Hue$/.test(name)
    ? [name.replace('Hue', 'Saturation'), 0.25] : []);

/** Whether setting the property gives it what it has no effect without. */
export const bringsNeed = (name, reason) => need(name).length > 0 && reason.startsWith('needs ');

/** `changes` with what they need: a hue its saturation, a gray black and white. */
export function withNeeds(changes, value) {
  const needs = Object.keys(changes).filter((name) => changes[name] !== undefined).map(need)
    .filter(([name]) => name && !(name in changes) && !value(name));
  return { ...changes, ...Object.fromEntries(needs) };
}
