import { createHash } from 'node:crypto'

/** Of one length, whatever a stranger sends, and no two lists of texts alike. */
export function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}

/** What is kept of the id of a session, which only the browser's cookie has. */
export function hashSessionId(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
