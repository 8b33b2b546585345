/**
 * Adds members to a global that released versions of the library assign with `var`. The scripts can
 * run in any order.
 */
export function shareGlobal(name: string, members: object): void {
  const page = globalThis as unknown as Record<string, unknown>
  // Own properties only: an element with this id is also a global, and is overwritten.
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
