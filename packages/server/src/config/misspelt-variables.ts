import type { Environ } from './variable.js'

/** A `COFRE_*` variable that nothing reads. */
export interface MisspeltVariable {
  readonly name: string
  /** The variable that was probably meant; undefined when none is near. */
  readonly meant: string | undefined
}

const OURS = 'COFRE_'
/** Variables of the product's own tests and benchmarks. */
const OF_TESTS = /^COFRE_(TEST|BENCH)_|^COFRE_KILLS$/
const DISTANCE_MAX = 2
/** A shorter name is near to anything. */
const LETTERS_FOR_EACH_CHANGE = 3

/** The variables that look like ours and are none of the known ones: each was meant to say something. */
export function misspeltVariables(
  environ: Environ,
  known: ReadonlySet<string>,
): readonly MisspeltVariable[] {
  return Object.keys(environ)
    .filter((name) => name.startsWith(OURS) && !OF_TESTS.test(name) && !known.has(name))
    .map((name) => ({ name, meant: nearest(name, known) }))
}

/** What to say about it. */
export function misspeltSentence({ name, meant }: MisspeltVariable): string {
  return `nothing reads the variable ${name}${meant === undefined ? '' : `: is ${meant} meant?`}`
}

function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  const distanceMax = Math.min(
    DISTANCE_MAX,
    Math.floor((name.length - OURS.length) / LETTERS_FOR_EACH_CHANGE),
  )
  const [best] = [...known]
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance)
  // The end of a name is easily left out. Where several names go on so, none is near.
  const [longer, ...others] = [...known].filter((candidate) => candidate.startsWith(`${name}_`))
  return best?.candidate ?? (others.length === 0 ? longer : undefined)
}

/** Levenshtein's: how many letters must be added, removed or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
