const ANY_ORIGIN = 'http://panel.invalid'

/** Path and query of what may be an address of elsewhere. `//host` would be one too. */
export function ownPath(address: string): string {
  if (!URL.canParse(address, ANY_ORIGIN)) return '/'
  const { pathname, search } = new URL(address, ANY_ORIGIN)
  // Schemes that are not http's keep a backslash, which browsers take for a slash.
  return `/${pathname.replace(/^[/\\]+/, '')}${search}`
}
