import type { IncomingMessage } from 'node:http'
import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { countPerMinute } from '@cofre/vault/http'
import type { Config } from '../config/config.js'

/** A usual body, such as a payment's: each connection may send one without reserving memory. */
const USUAL_BODY_BYTES = 16 * 1024
/** No interface accepts a longer body: it is refused, and the rest is not read. */
const BODY_BYTES_MAX = 256 * 1024
/** Memory for all longer bodies that are still arriving. */
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
  /** True if requests are counted by address here; the vault's routes count their own. */
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
    /** Requests that arrived completely and have no response yet; one may be on its way out. */
    underWay: () => bound.underWay,

    /** Counts a signed request. Resolves to the seconds to wait; undefined if it may continue. */
    countStore,

    /** Resolves to a function that ends the request, or to the reason of a refusal. */
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
 * Bounds the requests that a process handles at once, so that a slow database makes it refuse
 * immediately instead of queueing. A request whose body is still arriving holds no place, so slow
 * senders can't take all places. A long body reserves its length in memory instead, so slow senders
 * can't fill the memory.
 */
export class RequestBound {
  readonly #requestsMax: number
  #underWay = 0
  #arrivingBytes = 0

  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax
  }

  /** Requests that hold a place. */
  get underWay(): number {
    return this.#underWay
  }

  /** Takes a place; undefined if none is free. @returns releases the place */
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
    if (awaitsBody(incoming))
      incoming?.once('end', () => {
        move('counted')
      })
    else move('counted')
    return () => {
      move('left')
    }
  }
}

function awaitsBody(incoming: IncomingMessage | undefined): boolean {
  if (incoming === undefined || incoming.complete) return false
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  return encoding !== undefined || Number(length ?? 0) > 0
}

/** Bytes that a body may need; zero for a usual one. Without a length, the maximum. */
function longBodyBytes(incoming: IncomingMessage | undefined): number {
  if (incoming === undefined || !awaitsBody(incoming)) return 0
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  const bytes = encoding === undefined ? Number(length) : BODY_BYTES_MAX
  return bytes <= USUAL_BODY_BYTES ? 0 : Math.min(bytes, BODY_BYTES_MAX)
}
