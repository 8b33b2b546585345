import type { IncomingMessage } from 'node:http'

/**
 * Bounds how many requests a process answers at once, so that a slow database makes it refuse at once instead of taking on what it
 * cannot finish. A request whose body is still arriving holds no place, so that slow senders cannot take them all.
 */
export class RequestBound {
  readonly #requestsMax: number
  #underWay = 0

  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax
  }

  /** How many requests hold a place. */
  get underWay(): number {
    return this.#underWay
  }

  /** Takes a place; undefined when there is none. @returns gives the place back */
  enter(incoming: IncomingMessage | undefined): (() => void) | undefined {
    if (this.#underWay >= this.#requestsMax) return undefined
    let hasLeft = false
    let isCounted = false
    const count = (): void => {
      if (hasLeft || isCounted) return
      isCounted = true
      this.#underWay += 1
    }
    if (hasBodyToCome(incoming)) incoming?.once('end', count)
    else count()
    return () => {
      if (hasLeft) return
      hasLeft = true
      if (isCounted) this.#underWay -= 1
    }
  }
}

function hasBodyToCome(incoming: IncomingMessage | undefined): boolean {
  if (incoming === undefined || incoming.complete) return false
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  return encoding !== undefined || Number(length ?? 0) > 0
}
