// Adyen's Idempotency-Key: a repeat gets the first answer, and one that comes while the first is
// still being carried out an error that says to try again.
import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AdyenAccount, Book } from './book.js'
import { ServiceError } from './service-error.js'

const KEY_LENGTH_MAX = 64

export interface IdempotencyEnv {
  Variables: {
    account: AdyenAccount
    /** Under which the answer is kept; undefined without a key. */
    answerId: string | undefined
  }
}

export interface IdempotencyKeys {
  /** Outside of what makes answers late: until it has left, the first call is running. */
  guard: MiddlewareHandler<IdempotencyEnv>
  /** Gives a repeat what was answered, also where nobody received it. */
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
