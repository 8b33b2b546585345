// Adyen's Idempotency-Key: a repeat gets the first answer. While the first call is in progress, a
// repeat gets an error with the advice to try again.
import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AdyenAccount, Book } from './book.js'
import { ServiceError } from './service-error.js'

const KEY_LENGTH_MAX = 64

export interface IdempotencyEnv {
  Variables: {
    account: AdyenAccount
    /** The id of the stored answer; undefined without a key. */
    answerId: string | undefined
  }
}

export interface IdempotencyKeys {
  /** Wraps the delay of late answers: until its answer is sent, the first call is in progress. */
  guard: MiddlewareHandler<IdempotencyEnv>
  /** Repeats the stored answer, also if the first one was never received. */
  replay: MiddlewareHandler<IdempotencyEnv>
}

export function createIdempotencyKeys({ answers }: Pick<Book, 'answers'>): IdempotencyKeys {
  const running = new Set<string>()
  return {
    async guard(c, next) {
      const key = c.req.header('Idempotency-Key')
      if (key === undefined) return next()
      if (key.length > KEY_LENGTH_MAX)
        throw new ServiceError('field', `The Idempotency-Key is longer than ${KEY_LENGTH_MAX}.`)
      const id = `${c.var.account.merchantAccount}/${key}`
      if (running.has(id)) throw new ServiceError('in_progress')
      c.set('answerId', id)
      running.add(id)
      c.header('Idempotency-Key', key)
      try {
        await next()
      } finally {
        running.delete(id)
      }
      return undefined
    },

    async replay(c, next) {
      const { answerId } = c.var
      const kept = answerId === undefined ? undefined : answers.get(answerId)
      if (kept === undefined) return next()
      const status = kept.status as ContentfulStatusCode
      return c.body(kept.text, status, { 'Content-Type': 'application/json' })
    },
  }
}
