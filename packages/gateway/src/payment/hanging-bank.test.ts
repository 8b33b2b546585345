import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Log } from '@cofre/contracts'
import type { PixBank } from '../model/payment-rail/pix-bank.js'
import { startWorker } from '../worker/worker-service.js'
import { type PixGateway, accountOf, openPixGateway } from './pix-bank.fixture.js'

/** More than all rounds beside each other would take at once, without lanes. */
const WAITING = 1600

describe.each(TEST_ENGINES)('work at a bank, on $name', (engine) => {
  let pix: PixGateway
  beforeEach(async () => {
    pix = await openPixGateway(engine)
    await pix.create('order-1')
    pix.time.nowMs += MINUTE_MS
    pix.bank.calls.length = 0
  })
  afterEach(() => pix.close())

  /** Many more charges like the one that is there, each of a transaction that nobody has. */
  async function copyCharge(changes: Record<string, unknown>, copies = WAITING): Promise<void> {
    const { database } = pix.parts
    await database.transact(async (trx) => {
      const row = await trx.selectFrom('pix_charges').selectAll().executeTakeFirstOrThrow()
      for (let i = 0; i < copies; i += 100)
        await trx
          .insertInto('pix_charges')
          .values(
            Array.from({ length: 100 }, (_, j) => ({
              ...row,
              transaction_code: row.transaction_code + 1 + i + j,
              next_look_at: 1,
              ...changes,
            })) as never,
          )
          .execute()
    })
  }

  const isLookedAt = () => pix.bank.calls.includes('findCharge')

  it('waits for no other bank that hangs', async () => {
    await pix.parts.accounts.create(accountOf('bank-hang'), ['pix'], 'operator:ana')
    await copyCharge({ account_id: 'bank-hang' })
    const hangs = new Proxy({}, { get: () => () => new Promise(() => undefined) }) as PixBank
    const { bankOf } = pix.parts
    const worker = startWorker({
      ...pix.parts,
      bankOf: (account) => (account.id === 'bank-hang' ? { pix: hangs } : bankOf!(account)),
    })
    // It would wait for the bank that hangs.
    onTestFinished(() => void worker.stop())
    // Less than what a call may take: only lanes get there in time.
    await expect.poll(isLookedAt, { timeout: 15 * SECOND_MS }).toBe(true)
  })

  it('waits for no charge that cannot be read', async () => {
    await copyCharge({ due_date: 'nonsense' }, 100)
    const errors: string[] = []
    const log: Log = { ...pix.parts.log, error: (_, message) => errors.push(message) }
    const worker = startWorker({ ...pix.parts, log })
    onTestFinished(() => worker.stop())
    await expect.poll(isLookedAt, { timeout: 15 * SECOND_MS }).toBe(true)
    expect(errors).toContain('a charge could not be read')
  })
})
