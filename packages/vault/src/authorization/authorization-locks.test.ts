import { minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { openTwiceOnPostgres, whileLocked } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { auditEntry } from '../audit/audit-entry.js'
import type { SealedText } from '../keys/sealed-value.js'
import type { VaultStore } from '../vault-store.js'
import { createVaultStore } from '../vault-store-sql.js'
import { VAULT_MIGRATIONS } from '../vault-database.js'
import type { VaultTables } from '../vault-tables.js'
import type { OpenAuthorization } from './authorization.js'
import { authorizationEvent } from './authorization-events.js'

const NOW_MS = Date.UTC(2026, 10, 21)

const orderOf = (transactionCode: string): OpenAuthorization => ({
  state: 'open',
  environment: 'production',
  transactionCode,
  merchantId: 'store-1',
  amountMinor: minorUnits(100),
  installments: 1,
  card: { brand: 'visa', bin: '411111', lastFour: '1111' },
  sealedCard: `sealed for ${transactionCode}` as SealedText,
  saveForPayer: undefined,
  createdAtMs: NOW_MS,
})

describe('two vault processes that meet at the same row', () => {
  let databases: readonly Database<VaultTables>[]
  let stores: readonly VaultStore[]
  beforeEach(async () => {
    const [first, second] = await openTwiceOnPostgres<VaultTables>(VAULT_MIGRATIONS)
    onTestFinished(async () => {
      await second.close()
      await first.close()
    })
    databases = [first, second]
    stores = databases.map((database) => createVaultStore(database))
  })
  const reader = () => databases[0]!.reader

  it('spend a token on one order, and store no other', async () => {
    const token = { digest: 'token', sealedCard: 'sealed' as SealedText, expiresAtMs: NOW_MS }
    await stores[0]!.transact((trx) => trx.directTokens.insert(token))
    const lock = { table: 'direct_tokens', waiters: 2 } as const
    const first = await whileLocked(databases[0]!, lock, () =>
      stores.map((store, i) => store.beginAuthorization(orderOf(String(i)), token.digest)),
    )
    expect(first.toSorted()).toEqual([false, true])
    const stored = await reader().selectFrom('authorizations').selectAll().execute()
    expect(stored).toMatchObject([{ transaction_code: first.indexOf(true) }])
    const tokens = await reader().selectFrom('direct_tokens').selectAll().execute()
    expect(tokens).toMatchObject([{ sealed_card: null }])
  })

  it('store the outcome of an order once, with one entry', async () => {
    const order = orderOf('1')
    expect(await stores[0]!.beginAuthorization(order)).toBe(true)
    const lock = { table: 'authorizations', waiters: 2 } as const
    const outcomes = ['approved', 'declined'] as const
    const first = await whileLocked(databases[0]!, lock, () =>
      stores.map((store, i) => {
        const outcome = outcomes[i] ?? 'approved'
        const entry = auditEntry(authorizationEvent(order, outcome), NOW_MS)
        return store.settleAuthorization(order, { outcome, entry })
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
