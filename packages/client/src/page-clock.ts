/** The page's time, in milliseconds since 1970. Tests use fake timers. */
export function nowMs(): number {
  // eslint-disable-next-line no-restricted-properties -- A page has no other clock.
  return Date.now()
}
