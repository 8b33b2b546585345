import type { IncomingMessage } from 'node:http'
import { ApiError, type ErrorName, UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { countPerMinute } from '@cofre/vault/http'
import type { Config } from '../config/config.js'
import { RequestBound } from './request-bound.js'

/** Why a request was refused unread. */
export type Refusal = 'address_rate' | 'busy'

/** Which requests a process takes on. */
export interface Intake {
  /** Takes a request on, or refuses it. */
  admit(request: ArrivingRequest): Promise<Admission>
  /** Requests that were taken on, arrived whole, and have no answer yet; one that has may still be on its way out. */
  underWay(): number
  /** Counts a request of a store that has signed. Resolves to the seconds it has to wait; undefined when it may go on. */
  countStore(storeId: string): Promise<number | undefined>
}

interface ArrivingRequest {
  readonly address: string
  readonly incoming: IncomingMessage | undefined
  /** Whether the address is counted here; the vault's routes count theirs. */
  readonly countsAddress: boolean
}

export type Admission =
  | { readonly kind: 'admitted'; readonly leave: () => void }
  | {
      readonly kind: 'refused'
      readonly reason: Refusal
      readonly error: ErrorName
      readonly retryAfterSeconds: number
    }

type IntakeConfig = Pick<Config, 'requestsAtOnce' | 'requestsPerMinute' | 'storeRequestsPerMinute'>

export function createIntake(config: IntakeConfig): Intake {
  const bound = new RequestBound(config.requestsAtOnce)
  const countAddress = countPerMinute(config.requestsPerMinute)
  return {
    underWay: () => bound.underWay,
    countStore: countPerMinute(config.storeRequestsPerMinute),

    async admit({ address, incoming, countsAddress }) {
      const leave = bound.enter(incoming)
      if (leave === undefined)
        return refusal('busy', 'service_unavailable', UNAVAILABLE_RETRY_SECONDS)
      const waitSeconds = countsAddress ? await countAddress(address) : undefined
      if (waitSeconds === undefined) return { kind: 'admitted', leave }
      leave()
      return refusal('address_rate', 'too_many_requests', waitSeconds)
    },
  }
}

function refusal(reason: Refusal, error: ErrorName, retryAfterSeconds: number): Admission {
  return { kind: 'refused', reason, error, retryAfterSeconds }
}

/** An answer in the one error shape, given before an application was asked. */
export function refusalResponse(name: ErrorName): Response {
  const error = new ApiError(name)
  return Response.json(error.toBody(), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}
