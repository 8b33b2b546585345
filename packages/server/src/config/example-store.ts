import { Secret } from '@cofre/contracts'
import { type VariableRule, type Variables, readSafely } from './variable.js'
import { origin, storeId } from './variable-rules.js'

/** The sandbox, and the store in it, that a shop's developer has told the examples of the documentation. */
export interface ExampleStore {
  readonly url: string
  readonly id: string
  readonly secret: Secret<string>
}

// They are the examples' own: what is not usable here stops no command that does not need it.
const ANY: VariableRule<string> = { accepts: 'any text', read: (text) => text, secret: true }

/** What the examples read (docs/quick-start.md). */
export function readExampleStore(variables: Variables): ExampleStore | undefined {
  const [api, id, secret] = ['COFRE_API', 'COFRE_STORE_ID', 'COFRE_SECRET'].map((name) =>
    variables.optional(name, ANY),
  )
  const url = readSafely(origin, api ?? '')
  const store = readSafely(storeId, id ?? '')
  if (url === undefined || store === undefined || secret === undefined) return undefined
  return { url, id: store, secret: new Secret(secret) }
}
