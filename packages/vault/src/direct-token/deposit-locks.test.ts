import { openTwiceOnPostgres, whileLocked } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { auditEntry } from '../audit/audit-entry.js'
import type { SealedText } from '../keys/sealed-value.js'
import { VAULT_MIGRATIONS } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { createSqlSessionStore } from '../session/session-store-sql.js'
import { insertDepositOfRow } from './direct-token-sql.js'

const NOW_MS = Date.UTC(2026, 10, 26)

const depositOf = (digest: string) => ({
  token: { digest, sealed_card: 'sealed' as SealedText, expires_at_ms: NOW_MS },
  entry: auditEntry(
    { actor: 'page', action: 'direct_token.deposited', record: digest, outcome: 'accepted' },
    NOW_MS,
  ),
})

it('two vault processes that meet at one session store one deposit, with its entry', async () => {
  const databases = await openTwiceOnPostgres<VaultTables>(VAULT_MIGRATIONS)
  onTestFinished(async () => {
    for (const database of databases.toReversed()) await database.close()
  })
  const [{ reader }] = databases
  const sealedPrivateKey = 'sealed' as SealedText
  const session = { id: 'a', sealedPrivateKey, expiresAtMs: NOW_MS }
  await createSqlSessionStore(databases[0]).insert(session)
  const digests = ['one', 'other']
  const stored = await whileLocked(databases[0], { table: 'sessions', waiters: 2 }, () =>
    databases.map((database, i) =>
      insertDepositOfRow(database, session.id, depositOf(digests[i] ?? '')),
    ),
  )
  expect(stored.toSorted()).toEqual([false, true])
  const first = digests[stored.indexOf(true)]
  const tokens = await reader.selectFrom('direct_tokens').select('digest').execute()
  expect(tokens).toEqual([{ digest: first }])
  const entries = await reader.selectFrom('audit_log').select('record').execute()
  expect(entries).toEqual([{ record: first }])
  expect(await reader.selectFrom('sessions').select('id').execute()).toEqual([])
})
