import { Command } from 'commander'
import { SECRETS, VARIABLES } from './variables.js'

/** Variables of the product's own tests and benchmarks. */
const OF_TESTS = /^COFRE_(TEST|BENCH)_|^COFRE_(KILLS|TESTS)$/
/** Set by a shop's developer, never by an operator. */
const OF_EXAMPLES = ['COFRE_API', 'COFRE_STORE_ID', 'COFRE_SECRET']

const known: ReadonlySet<string> = new Set([
  ...Object.keys(VARIABLES.shape),
  ...SECRETS.map((name) => `${name}_FILE`),
])

/** A sentence on each unknown `COFRE_*` variable, which is probably misspelt. */
export function misspeltVariables(environ: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(environ)
    .filter((name) => name.startsWith('COFRE_') && !OF_TESTS.test(name) && !known.has(name))
    .map((name) => {
      const meant = nearest(name)
      return `nothing reads the variable ${name}${meant === undefined ? '' : `: is ${meant} meant?`}`
    })
}

const PREFIX = 'COFRE_'

/**
 * The name that commander would suggest for a command. Without the prefix, which would make all
 * names similar.
 */
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
  // The end of a name is often omitted. If several names start like this, none is suggested.
  const [longer, ...others] = [...known].filter((each) => each.startsWith(`${name}_`))
  return others.length === 0 ? longer : undefined
}
