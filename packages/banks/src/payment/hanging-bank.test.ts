import { MINUTE_MS, SECOND_MS, type Log } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { PixBank } from '@cofre/provider-kit/bank'
import { startBankWorker, withBankParts } from '../banks.fixture.js'
import { type PixGateway, accountOf, openPixGateway } from './pix-bank.fixture.js'

/** Exceeds what parallel rounds complete within one call's timeout, without lanes. */
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

  /** Adds charges like the existing one, due before it, of transactions that do not exist. */
  async function copyCharge(changes: Record<string, unknown>, copies: number): Promise<void> {
    const { database } = pix.parts
    await database.transact(async (trx) => {
      const row = await trx
        .selectFrom('bank_charges')
        .selectAll()
        .orderBy('transaction_code', 'desc')
        .executeTakeFirstOrThrow()
      // Charges of several accounts are due in turns.
      const charges = Array.from({ length: copies }, (_, i) => ({
        ...row,
        transaction_code: row.transaction_code + 1 + i,
        next_look_at: 1 + i,
        ...changes,
      }))
      for (let i = 0; i < copies; i += 100)
        await trx
          .insertInto('bank_charges')
          .values(charges.slice(i, i + 100))
          .execute()
    })
  }

  const isLookedAt = () => pix.bank.calls.includes('findCharge')

  it.each([1, 40])('waits for no other bank that hangs: %i of its accounts', async (accounts) => {
    for (let i = 0; i < accounts; i++) {
      await pix.parts.accounts.create(accountOf(`bank-hang-${i}`), ['pix'], 'operator:ana')
      await copyCharge({ account_id: `bank-hang-${i}` }, WAITING / accounts)
    }
    const hangs = new Proxy({}, { get: () => () => new Promise(() => undefined) }) as PixBank
    const { bankOf } = pix.parts
    const worker = startBankWorker(
      withBankParts(pix.parts, {
        bankOf: (account) =>
          account.id.startsWith('bank-hang') ? { pix: hangs } : bankOf!(account),
      }),
    )
    // A plain stop would wait for the hanging bank.
    onTestFinished(() => void worker.stop())
    // Less than the timeout of a call: only lanes are that fast.
    await expect.poll(isLookedAt, { timeout: 15 * SECOND_MS }).toBe(true)
  })

  it('waits for no charge that cannot be read', async () => {
    await copyCharge({ due_date: 'nonsense' }, 100)
    const errors: string[] = []
    const log: Log = { ...pix.parts.log, error: (_, message) => errors.push(message) }
    const worker = startBankWorker({ ...pix.parts, log })
    onTestFinished(() => worker.stop())
    await expect.poll(isLookedAt, { timeout: 15 * SECOND_MS }).toBe(true)
    expect(errors).toContain('a charge could not be read')
  })
})
