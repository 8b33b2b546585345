/**
 * Takes one of at most `max` places that a key has at the same time. Returns what gives the place
 * back, or undefined where all are taken. Giving a place back twice changes nothing.
 */
export type Limited = (key: string, max: number) => (() => void) | undefined

/** Counts the places of this process alone, in memory. A key costs nothing once it has none. */
export function createLimited(): Limited {
  const taken = new Map<string, Set<symbol>>()
  return (key, max) => {
    const places = taken.get(key) ?? new Set()
    if (places.size >= max) return undefined
    const place = Symbol(key)
    taken.set(key, places.add(place))
    return () => {
      places.delete(place)
      if (places.size === 0 && taken.get(key) === places) taken.delete(key)
    }
  }
}
