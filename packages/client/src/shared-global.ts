/**
 * Adds members to a global that the library of released versions assigns to, with `var`, whichever
 * script comes first.
 */
export function shareGlobal(name: string, members: object): void {
  const page = globalThis as unknown as Record<string, unknown>
  // Own properties alone: an element with this id is a global too, and is overwritten.
  const known = Object.getOwnPropertyDescriptor(page, name) && page[name]
  if (Object(known) === known) {
    Object.assign(known as object, members)
    return
  }
  const shared = { ...members }
  Object.defineProperty(page, name, {
    configurable: true,
    enumerable: true,
    get: () => shared,
    set: (value: object) => {
      Object.assign(shared, value)
    },
  })
}
