import type { IncomingMessage } from 'node:http'

/** A body of a usual request, such as a payment's. So much each connection may send without asking for room. */
const USUAL_BODY_BYTES = 16 * 1024
/** No interface takes a longer body: what is longer is refused, and read no further. */
const BODY_BYTES_MAX = 256 * 1024
/** What longer bodies that are still arriving may take of the memory, all together. */
const ARRIVING_BYTES_MAX = 64 * 1024 * 1024

/**
 * Bounds how many requests a process answers at once, so that a slow database makes it refuse at once instead of taking on what it
 * cannot finish. A request whose body is still arriving holds no place, so that slow senders cannot take them all; a long body
 * holds its length in memory instead, so that slow senders cannot fill it.
 */
export class RequestBound {
  readonly #requestsMax: number
  #underWay = 0
  #arrivingBytes = 0

  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax
  }

  /** How many requests hold a place. */
  get underWay(): number {
    return this.#underWay
  }

  /** Takes a place; undefined when there is none. @returns gives the place back */
  enter(incoming: IncomingMessage | undefined): (() => void) | undefined {
    const bodyBytes = longBodyBytes(incoming)
    if (this.#underWay >= this.#requestsMax) return undefined
    if (bodyBytes > 0 && this.#arrivingBytes + bodyBytes > ARRIVING_BYTES_MAX) return undefined
    this.#arrivingBytes += bodyBytes
    let hasArrived = false
    let hasLeft = false
    let isCounted = false
    const arrived = (): void => {
      if (hasArrived) return
      hasArrived = true
      this.#arrivingBytes -= bodyBytes
    }
    const count = (): void => {
      arrived()
      if (hasLeft || isCounted) return
      isCounted = true
      this.#underWay += 1
    }
    if (hasBodyToCome(incoming)) incoming?.once('end', count)
    else count()
    return () => {
      arrived()
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

/** What a body to come may take; zero for a usual one. One that hides its length may be as long as any. */
function longBodyBytes(incoming: IncomingMessage | undefined): number {
  if (incoming === undefined || !hasBodyToCome(incoming)) return 0
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  const bytes = encoding === undefined ? Number(length) : BODY_BYTES_MAX
  return bytes <= USUAL_BODY_BYTES ? 0 : Math.min(bytes, BODY_BYTES_MAX)
}
