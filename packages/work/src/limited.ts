/**
 * Takes one of at most `max` places of a key. Returns a function that frees the place, or undefined
 * if all are taken. Freeing a place twice changes nothing.
 */
export type Limited = (key: string, max: number) => (() => void) | undefined

/** Counts places in this process's memory alone. A key without places takes no memory. */
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
