import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { lockWaiters, openTwiceOnPostgres, whileLocked } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { auditEntry } from '../audit/audit-entry.js'
import type { SealedText } from '../keys/sealed-value.js'
import { VAULT_MIGRATIONS, type VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { deleteSavedCard } from '../saved-card/saved-card-service.js'
import { recordCardUse } from '../saved-card/saved-card-sql.js'
import { openTestVault, orderByCode, orderFor, paymentNamed } from '../vault.fixture.js'
import { type OpenAuthorization, authorizationEvent } from './authorization.js'
import { TestAccount, startProcess } from './charging.fixture.js'
import { beginAuthorization } from './authorization-begin-sql.js'
import { leaseCharge } from './card-charge-sql.js'
import { endCharge } from './charge-end-service.js'
import { settleAuthorization } from './authorization-sql.js'

const NOW_MS = Date.UTC(2026, 10, 21)

const orderOf = (transactionCode: string): OpenAuthorization => ({
  state: 'open',
  environment: 'production',
  transactionCode,
  merchantId: 'store-1',
  amountMinor: minorUnits(100),
  installments: 1,
  card: { brand: 'visa', bin: '411111', lastFour: '1111' },
  sealedContent: `sealed for ${transactionCode}` as SealedText,
  saveForPayer: undefined,
  createdAtMs: NOW_MS,
  knowsCharges: true,
  knowsAuthentication: true,
  charge: undefined,
})

describe('two vault processes that meet at the same row', () => {
  let databases: readonly Database<VaultTables>[]
  beforeEach(async () => {
    const [first, second] = await openTwiceOnPostgres<VaultTables>(VAULT_MIGRATIONS)
    onTestFinished(async () => {
      await second.close()
      await first.close()
    })
    databases = [first, second]
  })
  const reader = () => databases[0]!.reader

  it('spend a token on one order, and store no other', async () => {
    const token = { digest: 'token', sealed_card: 'sealed' as SealedText, expires_at_ms: NOW_MS }
    await databases[0]!.transact((trx) => trx.insertInto('direct_tokens').values(token).execute())
    const lock = { table: 'direct_tokens', waiters: 2 } as const
    const first = await whileLocked(databases[0]!, lock, () =>
      databases.map((database, i) => beginAuthorization(database, orderOf(String(i)), { token })),
    )
    expect(first.toSorted()).toEqual([false, true])
    const stored = await reader().selectFrom('authorizations').selectAll().execute()
    expect(stored).toMatchObject([{ transaction_code: first.indexOf(true) }])
    const tokens = await reader().selectFrom('direct_tokens').selectAll().execute()
    expect(tokens).toMatchObject([{ sealed_card: null }])
  })

  it('store the outcome of an order once, with one entry', async () => {
    const order = orderOf('1')
    expect(await beginAuthorization(databases[0]!, order)).toBe(true)
    const lock = { table: 'authorizations', waiters: 2 } as const
    const outcomes = ['approved', 'declined'] as const
    const first = await whileLocked(databases[0]!, lock, () =>
      databases.map((database, i) => {
        const outcome = outcomes[i] ?? 'approved'
        const entry = auditEntry(authorizationEvent(order, outcome), NOW_MS)
        return settleAuthorization(database, order, { outcome, decline: undefined, entry })
      }),
    )
    expect(first.toSorted()).toEqual([false, true])
    const outcome = outcomes[first.indexOf(true)]
    const entries = await reader().selectFrom('audit_log').selectAll().execute()
    expect(entries).toMatchObject([{ record: '1', outcome }])
    const stored = await reader().selectFrom('authorizations').selectAll().execute()
    expect(stored).toMatchObject([{ outcome, sealed_card: null }])
  })
})

async function openTwoProcesses() {
  const [first, second] = await openTwiceOnPostgres<VaultTables>(VAULT_MIGRATIONS)
  const test = await openTestVault({
    name: 'postgres',
    open: () => Promise.resolve(first) as never,
  })
  onTestFinished(async () => {
    await second.close()
    await first.close()
  })
  const account = new TestAccount('one')
  const processes = [first, second].map((database) => startProcess(test, [account], database))
  return { databases: [first, second], test, account, processes }
}

describe('two vault processes on one PostgreSQL database', () => {
  it('charge each of many orders once, whichever process is asked, and however often', async () => {
    const { test, account, processes } = await openTwoProcesses()
    // However busy the machine is, the process that waits gets the other's answer.
    for (const { deps } of processes) Object.assign(deps, { leaseWaitMs: 10_000 })
    // Creates the keys that both need.
    await processes[0]!.authorize(orderFor(await test.deposit()))
    const orders = await Promise.all(
      Array.from({ length: 12 }, async () => orderFor(await test.deposit(), { saveCard: true })),
    )
    account.calls = orders.map((_, i) => (i % 3 === 0 ? 'lost' : 'approved'))
    const asked = orders.flatMap((order) => processes.map((each) => each.authorize(order)))
    await Promise.all(asked)
    test.clock.nowMs += 2 * MINUTE_MS
    const recalls = orders.flatMap((order) => processes.map((each) => each.recall(order)))
    for (const answer of await Promise.all(recalls))
      expect(answer).toMatchObject({ outcome: 'approved', charge: { accountId: 'one' } })
    expect(account.books.size).toBe(1 + orders.length)
    const firsts = account.requests.filter(({ earlier }) => earlier === undefined)
    expect(firsts).toHaveLength(1 + orders.length)
  })

  it('let one of them work on a charge', async () => {
    const { databases, test, account, processes } = await openTwoProcesses()
    account.calls = ['lost']
    const order = orderFor(await test.deposit())
    await processes[0]!.authorize(order)
    const lease = { state: 'asked', nowMs: test.clock.nowMs } as const
    const lock = { table: 'card_charges', waiters: 2 } as const
    const taken = await whileLocked(databases[0]!, lock, () =>
      databases.map((database) => database.transact((trx) => leaseCharge(trx, order, lease))),
    )
    expect(taken.filter((charge) => charge !== undefined)).toHaveLength(1)
  })

  it.each([
    ['p1', 'p2'],
    ['p1', undefined],
  ] as const)(
    'end a charge once when acquirers report the payments %s and %s, and cancel the surplus',
    async (...payments) => {
      const { databases, test, account, processes } = await openTwoProcesses()
      account.calls = ['lost']
      const order = orderFor(await test.deposit())
      await processes[0]!.authorize(order)
      const ends = await whileLocked(databases[0]!, { table: 'card_charges', waiters: 2 }, () =>
        payments.map((payment, i) =>
          endCharge(processes[i]!.deps, order, {
            outcome: payment === undefined ? 'declined' : 'approved',
            payment: payment && paymentNamed(payment),
            decline: undefined,
            surplus: [],
          }),
        ),
      )
      const [answer, ...others] = ends.filter((end) => end !== undefined)
      expect(others).toEqual([])
      const { reader } = databases[0]!
      const stored = await reader.selectFrom('authorizations').selectAll().execute()
      expect(stored).toMatchObject([{ outcome: answer?.outcome, sealed_card: null }])
      const printed = await reader.selectFrom('audit_log').selectAll().execute()
      expect(printed.filter(({ record }) => record === order.transactionCode)).toHaveLength(1)
      const cancels = await reader.selectFrom('card_cancels').select('payment_id').execute()
      const [charge] = await reader.selectFrom('card_charges').selectAll().execute()
      const surplus = payments.filter(
        (payment) => payment !== undefined && payment !== charge?.payment_id,
      )
      expect(cancels).toEqual(surplus.map((payment_id) => ({ payment_id })))
    },
  )
})

describe('a saved card that is deleted by one process while another ends its charge', () => {
  const IDS = { networkTransactionId: '123456789012345', transactionLinkId: undefined }
  const COLUMNS = { network_transaction_id: IDS.networkTransactionId }

  /** A card with a charge, which has the brand's ids if they are given. */
  async function openCharged(columns: Partial<typeof COLUMNS>) {
    const { databases, test, processes } = await openTwoProcesses()
    const [first, second] = databases as [Database<VaultTables>, Database<VaultTables>]
    const answer = await processes[0]!.authorize(orderFor(await test.deposit(), { saveCard: true }))
    const code = answer.kind === 'answered' ? answer.savedCard?.code : undefined
    if (code === undefined) throw new Error('no card was saved')
    await processes[0]!.authorize(orderByCode(code))
    const none = { network_transaction_id: null, transaction_link_id: null }
    const ofCard = (trx: VaultConnection, set: Partial<typeof none | typeof COLUMNS>) =>
      trx.updateTable('card_charges').set(set).where('charged_card_code', '=', code).execute()
    await first.transact((trx) => ofCard(trx, { ...none, ...columns }))
    const card = { environment: 'production', merchantId: 'store-1', code } as const
    const deleting = () =>
      deleteSavedCard({ database: second, clock: test.clock }, card, 'operator:ana')
    const idsKept = () =>
      first.reader.selectFrom('card_charges').select('network_transaction_id').execute()
    const waits = async () => {
      while ((await lockWaiters(first)) === 0)
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return { first, card, deleting, idsKept, ofCard, waits }
  }

  it('is locked by both after its charge, so that neither waits for the other', async () => {
    const { first, card, deleting, idsKept, ofCard, waits } = await openCharged(COLUMNS)
    let deleted: Promise<boolean> | undefined
    await first.transact(async (trx) => {
      await ofCard(trx, COLUMNS)
      deleted = deleting()
      await waits()
      expect(await recordCardUse(trx, { ...card, ids: IDS })).toBe(true)
    })
    expect(await deleted).toBe(true)
    expect(await idsKept()).toEqual([
      { network_transaction_id: null },
      { network_transaction_id: null },
    ])
  })

  it('leaves no ids of a charge that ends between its two statements', async () => {
    const { first, card, deleting, idsKept, ofCard, waits } = await openCharged({})
    let deleted: Promise<boolean> | undefined
    await first.transact(async (trx) => {
      expect(await recordCardUse(trx, { ...card, ids: IDS })).toBe(true)
      deleted = deleting()
      await waits()
      await ofCard(trx, COLUMNS)
    })
    expect(await deleted).toBe(true)
    expect(await idsKept()).toEqual([
      { network_transaction_id: null },
      { network_transaction_id: null },
    ])
  })
})
