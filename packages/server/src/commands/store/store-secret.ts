import { randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'

/** A new secret of a store. */
export function drawSecret(): Secret<string> {
  return new Secret(randomBytes(32).toString('base64url'))
}

/** A sentence with a new secret, as a command shows it. */
export function secretText(sentence: string, secret: Secret<string>): string {
  return `${sentence}\n\n  Secret key  ${secret.reveal()}\n\nIt is shown this once. Give it to the store's developer, and to nobody else.\n`
}
