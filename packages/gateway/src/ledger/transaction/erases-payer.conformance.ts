import type { Connection } from '@cofre/sql'
import { TEST_ENGINES, type TestEngine } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestGateway, railRequest } from '../../gateway.fixture.js'
import {
  LATER_MS,
  archiveAll,
  create,
  finish,
  openAgingGateway,
} from '../archive/archive.fixture.js'
import { archived } from '../database/archive.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { ErasesPayer } from './erases-payer.js'

/** A name in all of a room's data of the suite's payers. */
export const PAYER_NAME = 'Zanzibar'

export interface RoomWithPayers {
  readonly erase: ErasesPayer
  /** Makes the room store the name of a payment's payer, if the payment's creation has not. */
  readonly keep?: (test: TestGateway, code: number) => Promise<unknown>
  /** The room's rows of a payment. */
  readonly kept: (db: Connection<GatewayTables>, code: number) => Promise<readonly object[]>
}

/** The promises of every room on both engines. */
export function describeErasesPayer(name: string, room: RoomWithPayers): void {
  for (const engine of TEST_ENGINES)
    describe(`the payers of ${name} on ${engine.name}`, () => {
      it('are erased from the payments that are named, and from no other', async () => {
        const { test, codes, first, other, hasPayer } = await openWithPayers(engine, room)
        expect(await Promise.all(codes.map((code) => hasPayer(code)))).toEqual([true, true])
        await test.database.transact((trx) => room.erase(trx, [first]))
        expect([await hasPayer(first), await hasPayer(other)]).toEqual([false, true])
      })

      it('may be erased again, and from payments that it does not know', async () => {
        const { test, codes, first, hasPayer } = await openWithPayers(engine, room)
        for (const asked of [[first], codes, [...codes, 1]])
          await test.database.transact((trx) => room.erase(trx, asked))
        expect(await Promise.all(codes.map((code) => hasPayer(code)))).toEqual([false, false])
      })

      it('stay when the unit of work that erases them is undone', async () => {
        const { test, codes, hasPayer } = await openWithPayers(engine, room)
        const undone = test.database.transact(async (trx) => {
          await room.erase(trx, codes)
          throw new Error('undone')
        })
        await expect(undone).rejects.toThrow('undone')
        expect(await Promise.all(codes.map((code) => hasPayer(code)))).toEqual([true, true])
      })

      it('are erased from payments in the archive, and from no other', async () => {
        const { test, first, other, hasPayer } = await openWithPayers(engine, room)
        expect(await archiveAll(test.database)).toEqual({ archived: 2, kept: 0 })
        await test.database.transact((trx) => room.erase(archived(trx), [first]))
        const left = [await hasPayer(first, archived), await hasPayer(other, archived)]
        expect(left).toEqual([false, true])
      })
    })
}

type Place = typeof archived

const outside: Place = (db) => db

/** Two unpaid boletos that are old enough for the archive. */
async function openWithPayers(engine: TestEngine, { keep, kept }: RoomWithPayers) {
  const opened = await openAgingGateway(engine)
  const { test, time, close } = opened
  onTestFinished(close)
  const make = async (reference: string): Promise<number> => {
    const body = railRequest(reference, 'boleto', { payerName: `Maria ${PAYER_NAME}` })
    const { code } = await create(opened, body)
    await test.gateway.desk.changes.changeStatus(code, 'NOT-PAID')
    await keep?.(test, code)
    return code
  }
  const [first, other] = [await make('order-1'), await make('order-2')]
  await finish(opened)
  time.nowMs = LATER_MS
  return {
    test,
    first,
    other,
    codes: [first, other],
    hasPayer: async (code: number, place: Place = outside): Promise<boolean> => {
      const text = JSON.stringify(await kept(place(test.database.reader), code))
      return text.toLowerCase().includes(PAYER_NAME.toLowerCase())
    },
  }
}
