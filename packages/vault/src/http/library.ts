import { hash } from 'node:crypto'

/** The browser library as it is served. */
export interface Library {
  /** `payment.<vendor>.min.js`. */
  readonly fileName: string
  readonly javascript: string | Uint8Array<ArrayBuffer>
}

/** The value of a script tag's `integrity` attribute (W3C Subresource Integrity). */
export function integrityOf({ javascript }: Library): string {
  return `sha384-${hash('sha384', javascript, 'base64')}`
}

/** Whether the caller's copy is the one with this entity tag (RFC 9110 section 13.1.2). */
export function hasCurrentCopy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
