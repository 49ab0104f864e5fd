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
 * comes with the tint that is seen, as a tint does with the temperature. `value(name)` is what holds now.
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

/** What a value needs to have an effect, and that is set with it: `[name, value]`; else null. */
function need(name) {
  const range = /^(shadow|midtone|highlight|global)Hue$/.exec(name)?.[1];
  if (range) return [`${range}Saturation`, 0.25];
  return name.endsWith('Gray') ? ['isBlackAndWhiteEnabled', true] : null;
}

/** Whether the property gets by `withNeeds` what it has no effect for the lack of. */
export const bringsNeed = (name, reason) => need(name) !== null && reason.startsWith('needs ');

/** `changes` with what they need: a hue its saturation, a gray black and white. */
export function withNeeds(changes, value) {
  const result = { ...changes };
  for (const [name, wanted] of Object.entries(changes)) {
    const [other, least] = wanted === undefined ? [] : need(name) ?? [];
    if (other && !(other in changes) && !value(other)) result[other] = least;
  }
  return result;
}
