// Large groups are divided: properties that follow each other and share their first or last word,
// as "redHue", "redSaturation", "redLuminance", are a family.

/** From this many properties on a group is divided. */
const large = 16;
/** Least length of a family. */
const least = 3;

const parts = (name) => name.replace(/^is(?=[A-Z])/, '').match(/^[a-z]+|[A-Z][a-z]*/g) ?? [name];

/** `members`, each with `property`, as `{word, members}`; `word` is null for those of no family. */
export function families(members) {
  if (members.length < large) return [{ word: null, members }];
  const result = [];
  let index = 0;
  while (index < members.length) {
    const found = run(members, index);
    if (found) {
      result.push(found);
    } else if (result.at(-1)?.word === null) {
      result.at(-1).members.push(members[index]);
    } else {
      result.push({ word: null, members: [members[index]] });
    }
    index += found?.members.length ?? 1;
  }
  return result;
}

/** The longest family that begins at `index`; null where there is none. */
function run(members, index) {
  const candidates = [0, -1].map((end) => {
    const word = parts(members[index].property.name).at(end);
    let length = 0;
    while (parts(members[index + length]?.property.name ?? '').at(end) === word) length += 1;
    return { word, members: members.slice(index, index + length) };
  });
  const best = candidates.sort((a, b) => b.members.length - a.members.length)[0];
  return best.members.length >= least ? best : null;
}
