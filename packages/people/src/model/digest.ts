import { createHash } from 'node:crypto'

/** A digest of fixed length for any input; different lists of texts have different digests. */
export function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}

/** The stored hash of a session's id, which only the browser's cookie contains. */
export function hashSessionId(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
