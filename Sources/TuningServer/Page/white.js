// The ways of giving the white are alternatives: who gives one of them takes back the others.

const alternatives = [
  ['neutralTemperature', 'neutralTint'], ['neutralChromaticity'], ['neutralLocation'],
  ['isAutomaticWhiteBalanceEnabled'],
];

/**
 * `changes` with what follows for the white: other ways are no longer given, and a temperature
 * comes with the tint that is seen, as a tint does with the temperature. `value(name)` is what holds now.
 */
export function withWhite(changes, own, value) {
  const given = alternatives.find((names) => names.some((name) => changes[name] !== undefined));
  if (!given) return changes;
  const result = { ...changes };
  for (const name of alternatives.flat()) {
    if (name in changes) continue;
    if (!given.includes(name)) {
      if (own[name] !== undefined) result[name] = undefined;
    } else if (own[name] === undefined && typeof value(name) === 'number') {
      result[name] = value(name);
    }
  }
  return result;
}
