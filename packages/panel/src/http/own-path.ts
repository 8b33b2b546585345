const ANY_ORIGIN = 'http://panel.invalid'

/** Path and query of what may be an address of elsewhere. `//host` would be one too. */
export function ownPath(address: string): string {
  if (!URL.canParse(address, ANY_ORIGIN)) return '/'
  const { pathname, search } = new URL(address, ANY_ORIGIN)
  return `/${pathname.replace(/^\/+/, '')}${search}`
}
