import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS, minorUnits } from '@cofre/contracts'
import { generateKeyRing } from '@cofre/vault'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertCancel } from '../../../../vault/src/authorization/card-cancel-sql.js'
import { putCapture } from '../../../../vault/src/capture/capture-sql.js'
import { acknowledgeChanges, announce } from '../../../../vault/src/outbox/change-sql.js'
import { insertCardEvent, postponeEvent } from '../../../../vault/src/refund/event-sql.js'
import {
  ACCOUNT,
  CHARGED_AT_MS,
  storeCharge,
} from '../../../../vault/src/refund/charged.fixture.js'
import { rowOfReturn } from '../../../../vault/src/refund/card-return.js'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'

const SINCE = new Date(CHARGED_AT_MS).toISOString()
const [OPEN, CHARGED, CAPTURING, VOIDING] = ['1001', '1002', '1003', '1004']

/** An order with an unanswered request. */
const UNANSWERED = {
  payment_type: 'eft',
  sub_type: 'pix',
  status: 'PENDING',
  open: 1,
  amount: 10_000,
  charged: 10_000,
  installments: 1,
  payer_email: 'maria@example.com',
  payer_document: '52998224725',
  description: 'Café',
  notification_url: 'https://shop.example/notifications',
  request: '{}',
  order_fingerprint: null,
  created_at: CHARGED_AT_MS,
  status_changed_at: CHARGED_AT_MS,
} as const

describe('cofre transactions, for work that acquirers leave undecided,', () => {
  let dataDir: string
  let nowMs: number
  let hasFailed: boolean
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-undecided-'))
    nowMs = CHARGED_AT_MS + 4 * DAY_MS
    copyMigrated(dataDir, ['vault'])
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const keys = generateKeyRing()
  const configOf = () => readConfig({ COFRE_DATA_DIR: dataDir, COFRE_VAULT_KEYS: keys }, 'dev')

  async function cofre(line: string): Promise<string> {
    let output = ''
    hasFailed = false
    const args = line.match(/"[^"]*"|\S+/g) ?? []
    await runProgram(
      args.map((arg) => arg.replaceAll('"', '')),
      {
        clock: { now: () => nowMs },
        config: configOf,
        print: (text) => (output += text),
        warn: () => undefined,
        fail: () => (hasFailed = true),
      },
    )
    return output
  }
  const undecided = async () =>
    (JSON.parse(await cofre('transactions undecided --json')) as { undecided: unknown[] }).undecided

  /** A charge with an unknown outcome, and another with a refused cancel and a slow refund. */
  const seed = () =>
    DATABASES.vault.use(configOf(), async (vault) => {
      await storeCharge(vault, { code: OPEN, state: 'ending', paymentId: undefined })
      await storeCharge(vault, { code: CHARGED })
      const of = { environment: 'production', transactionCode: CHARGED } as const
      const refund = {
        ...of,
        name: '7',
        origin: 'gateway',
        amountMinor: minorUnits(3000),
        state: 'in_process',
        attempts: 1,
        firstAttemptAtMs: CHARGED_AT_MS,
        absentSinceMs: undefined,
        returnedBeforeMinor: undefined,
        nextAskAtMs: undefined,
        returnId: undefined,
        reference: undefined,
        identity: undefined,
        metadata: undefined,
        notBeforeMs: undefined,
        detail: undefined,
        createdAtMs: CHARGED_AT_MS + 1,
        endedAtMs: undefined,
      } as const
      await vault.transact(async (trx) => {
        const asked = { accountId: ACCOUNT, nowMs: CHARGED_AT_MS + 2 }
        await insertCancel(trx, { ...of, paymentId: 'P2' }, asked)
        await trx
          .updateTable('card_cancels')
          .set({ state: 'refused', detail: 'no balance' })
          .execute()
        await trx.insertInto('card_returns').values(rowOfReturn(refund)).execute()
      })
    })

  it('lists each with the acquirer’s report and the way to resolve it, and resolves it', async () => {
    expect(await cofre('transactions undecided')).toBe(
      'No acquirer’s outcome needs a person in production.\n',
    )
    await seed()
    expect(await undecided()).toMatchObject([{ what: 'refund' }, { what: 'cancel' }])
    await DATABASES.vault.use(configOf(), async (vault) => {
      const change = { kind: 'charged_back', amountMinor: minorUnits(10_000) } as const
      const news = { environment: 'production', transactionCode: CHARGED, atMs: 1, change } as const
      await vault.transact((trx) => announce(trx, news, CHARGED_AT_MS + 3))
      await vault.transact((trx) => trx.updateTable('card_changes').set({ attempts: 5 }).execute())
    })
    nowMs = CHARGED_AT_MS + 7 * DAY_MS + 1
    expect(await cofre('transactions undecided')).toMatchInlineSnapshot(`
      "Code  What    Amount  Account  Since                     The acquirer                             Resolve with
      1001  charge  100.00  conta-1  2026-11-19T18:00:00.000Z  does not say
      1002  refund  30.00   conta-1  2026-11-19T18:00:00.001Z  accepted it, and has not carried it out  --refund 7
      1002  cancel  100.00  conta-1  2026-11-19T18:00:00.002Z  no balance                               --cancel P2
      1002  change                   2026-11-19T18:00:00.003Z  charged_back                             (see the gateway)

      Find each on the acquirer's site, and correct it there. Then end it here, as the last column says:
        cofre transactions resolve CODE --as done|not-done --reason "how you know"
      "done" of a charge: the card was charged; of a refund: the money has gone back; of a cancel: the payment was undone.
      Of a capture or a void, give --as captured or --as released instead; if neither was done, do one of them on the site first.
      A change is what an acquirer reported and the gateway cannot apply: its log says why. It comes again, an hour apart at most.
      "
    `)
    expect(await cofre('transactions undecided --environment sandbox')).toContain('in sandbox.')
    for (const [line, sentence] of [
      ['1001 --as done', 'The charge of 1001 is ended as done'],
      ['1002 --refund 7 --as done', 'The refund 7 of 1002 is ended as done'],
      ['1002 --cancel P2 --as not-done', 'The cancel of the payment P2 of 1002 is ended as not'],
    ] as const)
      expect(await cofre(`transactions resolve ${line} --reason "on the site"`)).toContain(sentence)
    expect(await undecided()).toMatchObject([{ what: 'change' }])
    expect(await cofre('audit list')).toMatch(/cancel\.resolved.* P2 kept: on the site/)
  })

  /** A capture that its acquirer has accepted, and a void whose answer was lost. */
  const seedCaptures = () =>
    DATABASES.vault.use(configOf(), async (vault) => {
      for (const code of [CAPTURING, VOIDING]) await storeCharge(vault, { code, captureDays: 7 })
      const capture = {
        environment: 'production',
        transactionCode: CAPTURING,
        operation: 'capture',
        amountMinor: minorUnits(4000),
        state: 'in_process',
        attempts: 1,
        firstAttemptAtMs: CHARGED_AT_MS,
        absentSinceMs: undefined,
        nextAskAtMs: undefined,
        operationId: 'OPERATION1',
        detail: undefined,
        createdAtMs: CHARGED_AT_MS,
        endedAtMs: undefined,
      } as const
      const asVoid = { operation: 'void', state: 'wanted', detail: 'no answer' } as const
      await vault.transact(async (trx) => {
        await putCapture(trx, capture)
        await putCapture(trx, {
          ...capture,
          ...asVoid,
          transactionCode: VOIDING,
          amountMinor: minorUnits(10_000),
          createdAtMs: CHARGED_AT_MS + 1,
        })
      })
    })

  it('lists captures and voids without an end for a day, and resolves them', async () => {
    await seedCaptures()
    nowMs = CHARGED_AT_MS + DAY_MS
    expect(await undecided()).toMatchObject([{ what: 'capture' }])
    const released = `transactions resolve ${VOIDING} --as released --reason "on the site"`
    expect(await cofre(released)).toContain('may still be decided by its acquirer')
    nowMs += 1
    expect(await cofre('transactions undecided')).toMatchInlineSnapshot(`
      "Code  What     Amount  Account  Since                     The acquirer                             Resolve with
      1003  capture  40.00   conta-1  2026-11-19T18:00:00.000Z  accepted it, and has not carried it out  --as captured|released
      1004  void     100.00  conta-1  2026-11-19T18:00:00.001Z  no answer                                --as captured|released

      Find each on the acquirer's site, and correct it there. Then end it here, as the last column says:
        cofre transactions resolve CODE --as done|not-done --reason "how you know"
      "done" of a charge: the card was charged; of a refund: the money has gone back; of a cancel: the payment was undone.
      Of a capture or a void, give --as captured or --as released instead; if neither was done, do one of them on the site first.
      A change is what an acquirer reported and the gateway cannot apply: its log says why. It comes again, an hour apart at most.
      "
    `)
    const captured = `transactions resolve ${CAPTURING} --as captured --reason "on the site"`
    expect(await cofre(`${captured} --amount 100.01`)).toContain(
      'is of a charge of less than this amount',
    )
    expect(hasFailed).toBe(true)
    expect(await cofre(`${captured} --amount 30`)).toBe(
      'The capture or void of 1003 is ended as captured: its gateway is informed, and the audit log has the reason.\n',
    )
    expect(await cofre(released)).toContain('The capture or void of 1004 is ended as released')
    expect(await undecided()).toEqual([])
    expect(await cofre(released)).toContain('is not open')
    expect(await cofre('audit list')).toMatch(
      /capture\.resolved +1003 +captured 30\.00: on the site/,
    )
  })

  it('lists orders whose requests were not answered, which nothing else shows', async () => {
    copyMigrated(dataDir, ['production', 'sandbox'])
    await cofre('store create loja-um')
    await DATABASES.production.use(configOf(), (database) =>
      database.transact(async (trx) => {
        for (const [code, stands] of [
          [2001, null],
          [2002, 1],
        ] as const) {
          const keys = {
            merchant_id: 'loja-um',
            reference: `order-${code}`,
            public_id: `p-${code}`,
          }
          await trx
            .insertInto('transaction_keys')
            .values({ transaction_code: code, ...keys })
            .execute()
          await trx
            .insertInto('transactions')
            .values({ code, stands, ...keys, ...UNANSWERED })
            .execute()
        }
      }),
    )
    expect(await cofre('transactions undecided')).toMatchInlineSnapshot(`
      "Code  What   Amount  Account  Since                     The acquirer        Resolve with
      2001  order  100.00           2026-11-19T18:00:00.000Z  loja-um order-2001  (its worker asks)

      These are orders whose request was not answered. They are shown nowhere else until a worker finds out whether they exist.
      "
    `)
    expect(await cofre('transactions list')).not.toContain('order-2001')
    expect(await cofre('transactions list --store loja-um --reference order-2002')).toContain(
      'PENDING',
    )
    await expect(cofre('transactions show 2001')).rejects.toThrow('There is no transaction 2001')
  })

  it.each(['', '--refund 7 ', '--cancel ', '--cancel P2 '])(
    'ends nothing that is not open: %s',
    async (option) => {
      const line = `transactions resolve 1001 ${option}--as not-done --reason asked`
      expect(await cofre(line)).toContain(
        'is not open: it does not exist here, or its outcome is known',
      )
      expect(hasFailed).toBe(true)
      expect(JSON.parse(await cofre(`${line} --json`))).toMatchObject({ result: 'not_open' })
    },
  )

  it('reports to a restored gateway again what it had taken since', async () => {
    const since = `transactions report-again --since ${SINCE}`
    expect(await cofre(since)).toContain('nothing is reported again')
    await DATABASES.vault.use(configOf(), async (vault) => {
      const change = { kind: 'capture_failed' } as const
      const news = { environment: 'production', transactionCode: CHARGED, atMs: 1, change } as const
      await vault.transact((trx) => announce(trx, news, CHARGED_AT_MS))
      const changes = await vault.reader.selectFrom('card_changes').select('id').execute()
      const taken = { environment: 'production', ids: changes.map(({ id }) => id) } as const
      await acknowledgeChanges(vault, taken, CHARGED_AT_MS)
    })
    expect(await cofre(`${since} --environment sandbox --json`)).toContain('"changes":0')
    expect(await cofre(since)).toContain('in production that are reported again: 1.')
    expect(await cofre('audit list')).toMatch(/changes\.reported_again.*production/)
  })

  it('reports released events even if no change is reported again', async () => {
    await DATABASES.vault.use(configOf(), async (vault) => {
      const charge = { environment: 'production', transactionCode: CHARGED } as const
      const event = {
        id: 'event-1',
        change: 'charged_back',
        reference: CHARGED,
        paymentId: undefined,
        returnId: undefined,
        amountMinor: minorUnits(100),
        atMs: CHARGED_AT_MS,
        detail: undefined,
      } as const
      await vault.transact(async (trx) => {
        await insertCardEvent(trx, { accountId: ACCOUNT, charge, event, nowMs: CHARGED_AT_MS })
        await postponeEvent(trx, charge, null)
      })
    })
    const since = `transactions report-again --since ${SINCE}`
    expect(await cofre(`${since} --environment sandbox`)).toContain('nothing is reported again')
    const released = await cofre(since)
    expect(released).toContain('Events that contradicted their charge in production')
    expect(released).toContain('applied again: 1.')
    expect(released).not.toContain('nothing is reported again')
    expect(await cofre('audit list')).toContain('changes: 0, events: 1')
    expect(await cofre(since)).toContain('nothing is reported again')
  })

  it.each([
    ['resolve 1001 --as not-done', "'--reason <text>' not specified"],
    [
      'resolve 1001 --as maybe --reason asked',
      'Allowed choices are done, not-done, captured, released',
    ],
    ['resolve 1001 --as done --reason asked --cancel --refund 7', 'either --refund or --cancel'],
    ['resolve 1001 --as released --reason asked --cancel', 'without --refund or --cancel'],
    ['resolve 1001 --as released --reason asked --amount 10', '--amount only with --as captured'],
    ['resolve 1001 --as done --reason asked --amount 10', '--amount only with --as captured'],
    ['resolve 1001 --as captured --reason asked --amount 0', 'It takes an amount above zero'],
    ['resolve 1001 --as captured --reason asked --amount 10,5', 'It takes an amount above zero'],
    ['resolve 1001 --as done --reason asked --cancel p;2', 'It is the name of a payment'],
    ['report-again', "'--since <time>' not specified"],
    ['report-again --since yesterday', 'It takes a time like 2026-11-21'],
  ])('refuses %s', async (line, sentence) => {
    await expect(cofre(`transactions ${line}`)).rejects.toThrow(sentence)
  })
})
