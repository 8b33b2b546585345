import { FIELD_ORIGINS_MAX, fieldOriginSchema } from '@cofre/contracts'

/**
 * An origin as browsers name it in a request, whatever form it was copied in; undefined for a text
 * that is none.
 */
export function readFieldOrigin(text: string): string | undefined {
  const { username, password, pathname, search, hash, origin: read } = URL.parse(text) ?? {}
  const isBare = [username, password, search, hash].every((part) => part === '')
  return isBare && pathname === '/' && !/[?#]$/.test(text)
    ? fieldOriginSchema.safeParse(read).data
    : undefined
}

/** Origins with one more, or why not. */
export function withOrigin(
  origins: readonly string[],
  origin: string,
): readonly string[] | 'known' | 'too-many' {
  if (origins.includes(origin)) return 'known'
  return origins.length < FIELD_ORIGINS_MAX ? [...origins, origin] : 'too-many'
}

/** Undefined where it is not among them. */
export function withoutOrigin(
  origins: readonly string[],
  origin: string,
): readonly string[] | undefined {
  return origins.includes(origin) ? origins.filter((one) => one !== origin) : undefined
}
