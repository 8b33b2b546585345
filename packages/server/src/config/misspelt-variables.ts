import { Command } from 'commander'
import { SECRETS, VARIABLES } from './variables.js'

/** Variables of the product's own tests and benchmarks. */
const OF_TESTS = /^COFRE_(TEST|BENCH)_|^COFRE_(KILLS|TESTS)$/
/** What a shop's developer sets: no operator means them. */
const OF_EXAMPLES = ['COFRE_API', 'COFRE_STORE_ID', 'COFRE_SECRET']

const known: ReadonlySet<string> = new Set([
  ...Object.keys(VARIABLES.shape),
  ...SECRETS.map((name) => `${name}_FILE`),
])

/** A sentence on each `COFRE_*` variable that nothing reads: it was meant to say something. */
export function misspeltVariables(environ: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(environ)
    .filter((name) => name.startsWith('COFRE_') && !OF_TESTS.test(name) && !known.has(name))
    .map((name) => {
      const meant = nearest(name)
      return `nothing reads the variable ${name}${meant === undefined ? '' : `: is ${meant} meant?`}`
    })
}

const PREFIX = 'COFRE_'

/** The name that commander would suggest, were they commands. The prefix makes none nearer. */
function nearest(name: string): string | undefined {
  const names = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  for (const each of known)
    if (each.startsWith(PREFIX) && !OF_EXAMPLES.includes(each))
      names.command(each.slice(PREFIX.length))
  try {
    names.parse([name.slice(PREFIX.length)], { from: 'user' })
  } catch (error) {
    const [, suggestion = ''] = String(error).split('(Did you mean')
    const suggested = /[A-Z]\w+/.exec(suggestion)?.[0]
    if (suggested !== undefined) return PREFIX + suggested
  }
  // The end of a name is easily left out. Where several names go on so, none is near.
  const [longer, ...others] = [...known].filter((each) => each.startsWith(`${name}_`))
  return others.length === 0 ? longer : undefined
}
