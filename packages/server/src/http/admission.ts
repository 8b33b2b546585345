import type { IncomingMessage } from 'node:http'
import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { countPerMinute } from '@cofre/vault/http'
import type { Config } from '../config/config.js'

/** A usual body, such as a payment's: each connection may send it without asking for room. */
const USUAL_BODY_BYTES = 16 * 1024
/** No interface takes a longer body: what is longer is refused, and read no further. */
const BODY_BYTES_MAX = 256 * 1024
/** What longer bodies that are still arriving may take of the memory, all together. */
const ARRIVING_BYTES_MAX = 64 * 1024 * 1024

const BUSY = {
  reason: 'busy',
  error: 'service_unavailable',
  retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
} as const
const TOO_MANY = { reason: 'address_rate', error: 'too_many_requests' } as const

interface ArrivingRequest {
  readonly address: string
  readonly incoming: IncomingMessage | undefined
  /** Whether the address is counted here; the vault's routes count theirs. */
  readonly countsAddress: boolean
}

export type AdmissionControl = ReturnType<typeof createAdmissionControl>

/** Decides which requests a process admits. */
export function createAdmissionControl(
  config: Pick<Config, 'requestsAtOnce' | 'requestsPerMinute' | 'storeRequestsPerMinute'>,
) {
  const bound = new RequestBound(config.requestsAtOnce)
  const countAddress = countPerMinute(config.requestsPerMinute)
  const countStore: (storeId: string) => Promise<number | undefined> = countPerMinute(
    config.storeRequestsPerMinute,
  )
  return {
    /** Requests that arrived whole and have no answer yet; one may still be on its way out. */
    underWay: () => bound.underWay,

    /** Counts a signed request. Resolves to the seconds to wait; undefined when it may go on. */
    countStore,

    /** Resolves to what ends the request, or to why it is refused. */
    async admit({ address, incoming, countsAddress }: ArrivingRequest) {
      const leave = bound.enter(incoming)
      if (leave === undefined) return BUSY
      const retryAfterSeconds = countsAddress ? await countAddress(address) : undefined
      if (retryAfterSeconds === undefined) return { leave }
      leave()
      return { ...TOO_MANY, retryAfterSeconds }
    },
  }
}

/**
 * Bounds how many requests a process answers at once, so that a slow database makes it refuse at
 * once instead of taking on what it cannot finish. A request whose body is still arriving holds no
 * place, so that slow senders cannot take them all; a long body holds its length in memory instead,
 * so that slow senders cannot fill it.
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
    let state: 'arriving' | 'counted' | 'left' = 'arriving'
    this.#arrivingBytes += bodyBytes
    const move = (to: 'counted' | 'left'): void => {
      if (state === 'left' || state === to) return
      if (state === 'arriving') this.#arrivingBytes -= bodyBytes
      if (to === 'counted') this.#underWay += 1
      else if (state === 'counted') this.#underWay -= 1
      state = to
    }
    if (hasBodyToCome(incoming))
      incoming?.once('end', () => {
        move('counted')
      })
    else move('counted')
    return () => {
      move('left')
    }
  }
}

function hasBodyToCome(incoming: IncomingMessage | undefined): boolean {
  if (incoming === undefined || incoming.complete) return false
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  return encoding !== undefined || Number(length ?? 0) > 0
}

/** Bytes that a body may take; zero for a usual one. Without a length it may be the longest. */
function longBodyBytes(incoming: IncomingMessage | undefined): number {
  if (incoming === undefined || !hasBodyToCome(incoming)) return 0
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  const bytes = encoding === undefined ? Number(length) : BODY_BYTES_MAX
  return bytes <= USUAL_BODY_BYTES ? 0 : Math.min(bytes, BODY_BYTES_MAX)
}
