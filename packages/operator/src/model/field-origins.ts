import { FIELD_ORIGINS_MAX, fieldOriginSchema } from '@cofre/contracts'

/**
 * An origin in the form of browsers' requests, from any copied form; undefined for another text.
 */
export function readFieldOrigin(text: string): string | undefined {
  const { username, password, pathname, search, hash, origin: read } = URL.parse(text) ?? {}
  const isBare = [username, password, search, hash].every((part) => part === '')
  return isBare && pathname === '/' && !/[?#]$/.test(text)
    ? fieldOriginSchema.safeParse(read).data
    : undefined
}

/** The origins with one more, or why it cannot be added. */
export function withOrigin(
  origins: readonly string[],
  origin: string,
): readonly string[] | 'known' | 'too-many' {
  if (origins.includes(origin)) return 'known'
  return origins.length < FIELD_ORIGINS_MAX ? [...origins, origin] : 'too-many'
}

/** Undefined if the origin is not among them. */
export function withoutOrigin(
  origins: readonly string[],
  origin: string,
): readonly string[] | undefined {
  return origins.includes(origin) ? origins.filter((one) => one !== origin) : undefined
}
