import { TEST_ENGINES, type TestEngine, recordQueries } from '@cofre/sql/testing'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../transaction/transaction.js'
import type { PaymentPart } from './payment-part.js'

/** A part over a fresh database, and payments of one store. */
export interface TestedPart {
  readonly part: PaymentPart<string, unknown>
  /** The room has data of this one. */
  readonly having: Transaction
  /** It may have data of this one, but has none. */
  readonly lacking: Transaction
  /** It cannot have data of this one. */
  readonly foreign: Transaction
}

export interface PartPromises {
  /** The test closes it. */
  readonly open: (engine: TestEngine) => Promise<TestedPart>
  /** The value of `having`, as `toMatchObject` compares it. */
  readonly value: unknown
  /** The value of `lacking`. */
  readonly otherwise?: unknown
}

/** The promises of every part of payments on both engines. */
export function describePaymentPart(name: string, { open, value, otherwise }: PartPromises): void {
  for (const engine of TEST_ENGINES)
    describe(`the part ${name} of payments on ${engine.name}`, () => {
      it('is of the payments that its room has something of, in whatever order', async () => {
        const { part, having, lacking, foreign } = await open(engine)
        for (const payments of [
          [having, lacking, foreign],
          [foreign, lacking, having],
        ]) {
          const values = await part.of(payments)
          expect({ of: values.get(having.code) }).toMatchObject({ of: value })
          expect(values.get(lacking.code)).toEqual(otherwise)
          expect(values.has(foreign.code)).toBe(false)
        }
      })

      it('is of no payment that was not requested', async () => {
        const { part, having, lacking } = await open(engine)
        const values = await part.of([lacking])
        expect(values.has(having.code)).toBe(false)
      })

      it('asks nothing for payments that it cannot be of', async () => {
        const { part, foreign } = await open(engine)
        const queries = recordQueries()
        try {
          expect([...(await part.of([foreign])), ...(await part.of([]))]).toEqual([])
        } finally {
          queries.stop()
        }
        expect([...queries.texts]).toEqual([])
      })
    })
}
