import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type CardChange, type Environment, MINUTE_MS } from '@cofre/contracts'
import { createSqlTestClockStore } from '@cofre/sandbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'

type CardChangeKind = CardChange['change']['kind']

const NOW_MS = Date.UTC(2026, 10, 21, 12)

describe('cofre transactions', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-transactions-'))
    copyMigrated(dataDir)
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const configOf = () => readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')

  async function cofre(line: string): Promise<string> {
    let output = ''
    await runProgram(line.split(' '), {
      clock: { now: () => NOW_MS },
      config: configOf,
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return output
  }

  /** Stores transactions that have been UNDER-REVIEW for the given minutes, in this order. */
  async function seed(
    environment: Environment,
    reviews: readonly { readonly minutes: number; readonly open: number }[],
  ): Promise<void> {
    const database = await DATABASES[environment].open(configOf())
    const row = {
      merchant_id: 'loja-um',
      payment_type: 'credit-card' as const,
      sub_type: 'visa',
      amount: 10_000,
      charged: 10_450,
      installments: 3,
      payer_email: 'maria@example.com',
      payer_document: '52998224725',
      description: 'Café',
      notification_url: 'https://shop.example/notifications',
      request: '{}',
      order_fingerprint: null,
      created_at: 0,
    }
    const rows = [...reviews, { minutes: 60, open: -1 }].map(({ minutes, open }, index) => ({
      ...row,
      code: 1001 + index,
      reference: `order-${index + 1}`,
      public_id: `public-${index + 1}`,
      status: open < 0 ? ('COMPLETE' as const) : ('UNDER-REVIEW' as const),
      open: Math.max(open, 0),
      status_changed_at: NOW_MS - minutes * MINUTE_MS,
    }))
    const keys = rows.map(({ code, merchant_id, reference, public_id }) => ({
      transaction_code: code,
      merchant_id,
      reference,
      public_id,
    }))
    await database.transact(async (trx) => {
      await trx.insertInto('transaction_keys').values(keys).execute()
      await trx.insertInto('transactions').values(rows).execute()
    })
    await database.close()
  }

  it('shows what is under review, longest first, with what it waits for', async () => {
    await cofre('store create loja-um')
    await seed('production', [
      { minutes: 2, open: 1 },
      { minutes: 30, open: 1 },
      { minutes: 20, open: 0 },
    ])
    expect(await cofre('transactions list --status UNDER-REVIEW')).toBe(
      [
        'Code  Store    Reference  Amount  Status        Since                     For     Waits for',
        '1002  loja-um  order-2    104.50  UNDER-REVIEW  2026-11-21T11:30:00.000Z  30 min  answer',
        '1003  loja-um  order-3    104.50  UNDER-REVIEW  2026-11-21T11:40:00.000Z  20 min  review',
        '1001  loja-um  order-1    104.50  UNDER-REVIEW  2026-11-21T11:58:00.000Z  2 min   answer',
        '',
        '3 of the 3 transactions that are UNDER-REVIEW in production.',
        '',
      ].join('\n'),
    )
    const json = await cofre('transactions list --status UNDER-REVIEW --older-than 25m --json')
    expect(JSON.parse(json)).toEqual({
      status: 'UNDER-REVIEW',
      environment: 'production',
      all: 3,
      transactions: [
        {
          code: '1002',
          store: 'loja-um',
          reference: 'order-2',
          amount: '104.50',
          status: 'UNDER-REVIEW',
          since: '2026-11-21T11:30:00.000Z',
          waitsFor: 'answer',
        },
      ],
    })
    expect(await cofre('transactions list --status UNDER-REVIEW --sandbox')).toBe(
      'No transactions are UNDER-REVIEW in sandbox.\n',
    )
    expect(await cofre('transactions list --sandbox')).toBe('No transactions in sandbox.\n')
    expect(await cofre('transactions list --environment sandbox --status PENDING')).toBe(
      'No such transactions in sandbox.\n',
    )
  })

  it('shows a hundred of many, and their count', async () => {
    await cofre('store create loja-um')
    await seed(
      'production',
      Array.from({ length: 120 }, (_, minutes) => ({ minutes, open: 1 })),
    )
    const { all, transactions } = JSON.parse(
      await cofre('transactions list --status UNDER-REVIEW --json'),
    ) as { all: number; transactions: { code: string }[] }
    expect(all).toBe(120)
    expect(transactions).toHaveLength(100)
    expect(transactions[0]?.code).toBe('1120')
  })

  it('lists transactions of every status, or of a store and a reference, the newest first', async () => {
    await cofre('store create loja-um')
    await seed('production', [{ minutes: 2, open: 1 }])
    expect(await cofre('transactions list')).toBe(
      [
        'Code  Store    Reference  Amount  Status        Since                     For     Waits for',
        '1002  loja-um  order-2    104.50  COMPLETE      2026-11-21T11:00:00.000Z  60 min',
        '1001  loja-um  order-1    104.50  UNDER-REVIEW  2026-11-21T11:58:00.000Z  2 min   answer',
        '',
        '2 transactions in production, the newest first.',
        '',
      ].join('\n'),
    )
    const codes = async (line: string) =>
      (
        JSON.parse(await cofre(`transactions list ${line} --json`)) as {
          transactions: { code: string }[]
        }
      ).transactions.map(({ code }) => code)
    expect(await codes('--status complete')).toEqual(['1002'])
    expect(await codes('--store loja-um --reference order-1')).toEqual(['1001'])
    expect(await codes('--store loja-um --status UNDER-REVIEW')).toEqual(['1001'])
    expect(await codes('--store loja-dois')).toEqual([])
    expect(await codes('--older-than 30m')).toEqual(['1002'])
    await expect(cofre('transactions list --status PAID')).rejects.toThrow('It is one of')
  })

  it('shows a transaction with everything that happened to it', async () => {
    await cofre('store create loja-um')
    await seed('production', [])
    const database = await DATABASES.production.open(configOf())
    const details = {
      kind: 'card',
      charge: { accountId: 'adyen-1', provider: 'adyen', paymentId: 'PSP1', nsu: '662000' },
    }
    await database.transact(async (trx) => {
      await trx
        .updateTable('transactions')
        .set({
          card_bin: '411111',
          card_last_four: '1111',
          first_status: 'COMPLETE',
          paid_at: NOW_MS,
          payment_details: JSON.stringify(details),
        })
        .execute()
      await trx
        .insertInto('refunds')
        .values({
          transaction_code: 1001,
          id: 501,
          merchant_id: 'loja-um',
          status: 'PROCESSED',
          amount: 5000,
          charged: null,
          reference: 'return-1',
          notify_url: 'https://shop.example/refunds',
          requested_at: NOW_MS,
          next_ask_at: NOW_MS,
          asks: 1,
          in_process: 0,
          processed_at: NOW_MS,
          provider_refund_id: 'D1',
          nature: 'MED_FRAUDE',
        })
        .execute()
      await trx
        .insertInto('card_changes')
        .values({
          transaction_code: 1001,
          id: 'c1',
          kind: 'dispute_announced',
          at: NOW_MS,
          amount: 10_450,
          detail: 'fraud 10.4',
        })
        .execute()
    })
    await database.close()
    expect(await cofre('transactions show 1001')).toBe(
      [
        'Transaction 1001 in production',
        '  Store       loja-um',
        '  Reference   order-1',
        '  Status      COMPLETE since 2026-11-21T11:00:00.000Z',
        '  Amount      100.00, charged 104.50',
        '  Method      credit-card, visa, 411111******1111, 3 installments',
        '  Payer       maria@example.com 52998224725',
        '  Created     1970-01-01T00:00:00.000Z',
        '  Paid        2026-11-21T12:00:00.000Z',
        '  Account     adyen-1 (adyen)',
        '  Payment     PSP1',
        '  NSU         662000',
        '',
        'History',
        'At                        Status',
        '1970-01-01T00:00:00.000Z  COMPLETE',
        '',
        'Refunds',
        'Id   Status     Amount  Reference  Nature      Requested                 Ended',
        '501  PROCESSED  50.00   return-1   MED_FRAUDE  2026-11-21T12:00:00.000Z  2026-11-21T12:00:00.000Z',
        '',
        'Reported by the acquirer',
        'At                        What               Amount  Words',
        '2026-11-21T12:00:00.000Z  dispute_announced  104.50  fraud 10.4',
        '',
      ].join('\n'),
    )
    expect(JSON.parse(await cofre('transactions show 1001 --json'))).toMatchObject({
      environment: 'production',
      code: '1001',
      charge: details.charge,
      notifications: [],
      pix: null,
    })
    await expect(cofre('transactions show 1')).rejects.toThrow('There is no transaction 1')
    await expect(cofre('transactions show 1001 --environment sandbox')).rejects.toThrow(
      'There is no transaction 1001 in sandbox',
    )
  })

  it('counts the sandbox’s age by its own clock', async () => {
    await cofre('store create loja-um --sandbox')
    await seed('sandbox', [{ minutes: 2, open: 1 }])
    const older = 'transactions list --status UNDER-REVIEW --environment sandbox --older-than 10m'
    expect(await cofre(older)).toMatch(/^0 of the 1 /)
    const bank = await DATABASES.bank.open(configOf())
    await createSqlTestClockStore(bank).add(10 * MINUTE_MS, 10 * MINUTE_MS)
    await bank.close()
    expect(await cofre(older)).toContain('12 min  answer')
  })

  it.each([
    [{ state: 'authorized' }, '100.00, charged 104.50', 'authorized, to be captured before'],
    [
      { state: 'captured', amountMinor: 4_000, chargedMinor: 4_180 },
      '100.00, charged 41.80',
      'captured 40.00',
    ],
    [{ state: 'released', releasedBy: 'void' }, '100.00, charged 104.50', 'released: void'],
  ])('shows how far a card is captured (%j)', async (capture, amount, line) => {
    await cofre('store create loja-um')
    await seed('production', [{ minutes: 2, open: 0 }])
    const times = { authorizedAtMs: NOW_MS, beforeMs: NOW_MS, endsAtMs: NOW_MS }
    const database = await DATABASES.production.open(configOf())
    await database.transact(async (trx) => {
      const stored = JSON.stringify({ ...times, ...capture })
      await trx.updateTable('transactions').set({ capture: stored }).execute()
    })
    await database.close()
    const text = await cofre('transactions show 1001')
    expect(text).toContain(`Amount      ${amount}\n`)
    expect(text).toContain(`Capture     ${line}`)
  })

  it('shows surplus payments, and their state', async () => {
    expect(await cofre('store create loja-um')).toContain('Secret key')
    expect(await cofre('transactions surplus')).toBe(
      'No money without an order was received in production.\n',
    )
    await seed('production', [{ minutes: 2, open: 0 }])
    const database = await DATABASES.production.open(configOf())
    const payment = (endToEndId: string, changes: object) => ({
      transaction_code: 1001,
      end_to_end_id: endToEndId,
      account_id: 'efi-1',
      amount: 10_450,
      paid_at: NOW_MS,
      found_at: NOW_MS,
      purpose: 'order' as const,
      refund_status: null,
      refunded_at: null,
      next_ask_at: null,
      asks: 0,
      in_process: 0,
      way: 'pix' as const,
      bank_refunds: '[]',
      ...changes,
    })
    const surplus = [
      payment('E1', {}),
      payment('E2', { purpose: 'second-payment', refund_status: 'REJECTED', refunded_at: NOW_MS }),
      payment('E3', {
        purpose: 'other-amount',
        amount: 5,
        found_at: NOW_MS + 1,
        refund_status: 'KEPT',
        paid_at: null,
      }),
    ]
    await database.transact((trx) => trx.insertInto('bank_payments').values(surplus).execute())
    await database.close()
    expect(await cofre('transactions surplus')).toBe(
      [
        'Code  Store    Reference  Status        Amount  Paid                      Is                And',
        '1001  loja-um  order-1    UNDER-REVIEW  0.05    at an unknown time        another amount    is kept',
        '1001  loja-um  order-1    UNDER-REVIEW  104.50  2026-11-21T12:00:00.000Z  a second payment  was not refunded by the bank',
        '',
      ].join('\n'),
    )
    const json = await cofre('transactions surplus --store loja-um --json')
    expect(JSON.parse(json)).toMatchObject({
      environment: 'production',
      surplus: [
        { endToEndId: 'E3', purpose: 'other-amount', paid: null, state: 'is kept' },
        { endToEndId: 'E2', store: 'loja-um', settled: '2026-11-21T12:00:00.000Z' },
      ],
    })
    expect(await cofre('transactions surplus --store loja-dois')).toBe(
      'No money without an order was received of the store loja-dois in production.\n',
    )
    expect(await cofre('transactions surplus --environment sandbox')).toContain('in sandbox.')
  })

  it('shows what acquirers take back of card payments', async () => {
    expect(await cofre('store create loja-um')).toContain('Secret key')
    expect(await cofre('transactions disputes')).toBe(
      'No card payment was disputed in production.\n',
    )
    await seed('production', [{ minutes: 2, open: 0 }])
    const database = await DATABASES.production.open(configOf())
    const change = (id: string, kind: CardChangeKind, over: object = {}) => ({
      transaction_code: 1001,
      id,
      kind,
      at: NOW_MS,
      amount: 10_450,
      detail: null,
      ...over,
    })
    const changes = [
      change('c1', 'settled'),
      change('c2', 'dispute_announced', { detail: 'fraud 10.4' }),
      change('c3', 'capture_failed', { at: NOW_MS + 1, amount: null }),
    ]
    await database.transact((trx) => trx.insertInto('card_changes').values(changes).execute())
    await database.close()
    expect(await cofre('transactions disputes')).toBe(
      [
        'Code  Store    Reference  Status        Amount  At                        Is                                 Acquirer',
        '1001  loja-um  order-1    UNDER-REVIEW  all     2026-11-21T12:00:00.001Z  taken back',
        '1001  loja-um  order-1    UNDER-REVIEW  104.50  2026-11-21T12:00:00.000Z  a dispute, no money has moved yet  fraud 10.4',
        '',
      ].join('\n'),
    )
    const json = await cofre('transactions disputes --store loja-um --json')
    expect(JSON.parse(json)).toMatchObject({
      environment: 'production',
      disputes: [{ kind: 'capture_failed', amount: null }, { detail: 'fraud 10.4' }],
    })
    expect(await cofre('transactions disputes --store loja-dois')).toBe(
      'No card payment of the store loja-dois was disputed in production.\n',
    )
  })

  it.each([
    ['transactions list --reference a/b', 'A reference is 1 to 64 letters'],
    ['transactions show', "missing required argument 'code'"],
    ['transactions list --status UNDER-REVIEW --older-than soon', 'It takes a time like 90, 10m'],
  ])('refuses %s', async (line, sentence) => {
    await expect(cofre(line)).rejects.toThrow(sentence)
  })

  it('needs a gateway', async () => {
    for (const file of readdirSync(dataDir)) rmSync(path.join(dataDir, file))
    const listing = cofre('transactions list --status UNDER-REVIEW')
    await expect(listing).rejects.toThrow('There is no gateway here yet')
  })

  it('is explained with an example', async () => {
    expect(await cofre('transactions list --help')).toContain('--reference order-7')
  })
})
