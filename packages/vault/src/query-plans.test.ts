import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dueReleases } from './capture/release-sql.js'
import { checkCard } from './card-check/card-check-service.js'
import { countUncharged } from './card-check/card-check-sql.js'
import { countOpenCancels } from './authorization/card-cancel-sql.js'
import { TestAccount, startProcess } from './authorization/charging.fixture.js'
import { chargesToRead, unplannedAccounts } from './later-reading/reading-sql.js'
import { periodOf } from './later-reading/reading-step.js'
import { planRead } from './authorization/planned-read-sql.js'
import {
  type TestVault,
  openTestVault,
  orderByCode,
  orderFor,
  paymentNamed,
} from './vault.fixture.js'
import { createVaultAdministration } from './vault-administration.js'

/** Tables that grow with every payment. */
const GROWING = {
  tables: [
    'sessions',
    'direct_tokens',
    'authorizations',
    'card_charges',
    'card_cancels',
    'card_declines',
    'card_checks',
    'saved_cards',
    'audit_log',
  ],
  storeColumn: 'merchant_id',
}

async function doEverything(test: TestVault): Promise<void> {
  const { vault } = test
  const order = orderFor(await test.deposit(), { saveCard: true })
  const { environment, transactionCode, merchantId } = order
  const answer = await vault.authorize(order)
  const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
  await vault.authorize(orderByCode(code))
  await vault.authorize(order)
  await vault.recallAuthorization(environment, transactionCode)
  await vault.recallAuthorization(environment, '200000000000001')
  await vault.activateSavedCard(environment, transactionCode)
  await chargeAtAccounts(test)
  await vault.sweep()
  const { payerEmail } = order
  const { deps } = startProcess(test, [new TestAccount('checks').withCheck()])
  const asked = { environment, merchantId, countedAddress: '203.0.113.7', saveCard: true }
  const payer = { name: 'João', document: '39053344705', email: 'joao@example.com', ip: '::1' }
  await checkCard(deps, { ...asked, payer, token: await test.deposit() })
  await countUncharged(test.database.reader, test.clock.nowMs)
  const some = { environment, merchantId, payerEmail, limit: 1 }
  const [last] = await vault.storedCardsOf(some)
  const after = { createdAtMs: last?.createdAtMs ?? 0, code: last?.code ?? '' }
  expect(last).toBeDefined()
  expect(await vault.storedCardsOf({ ...some, after })).toHaveLength(0)
  expect(await vault.deleteSavedCard(environment, merchantId, code)).toBe(true)
}

/** Takes a charge through every course, and all that follows. */
async function chargeAtAccounts(test: TestVault): Promise<void> {
  const [one, two] = [new TestAccount('one'), new TestAccount('two')]
  const process = startProcess(test, [one, two])
  const surplus = {
    kind: 'done',
    value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: ['p2'] },
  } as const
  one.calls = ['away', 'away', 'declined', 'pending', surplus, 'lost', 'lost', 'lost']
  two.calls = ['approved', 'away']
  for (let i = 0; i < 7; i++) await process.authorize(orderFor(await test.deposit()))
  const order = orderFor(await test.deposit(), { saveCard: true })
  await process.authorize(order)
  test.clock.nowMs += MINUTE_MS
  await process.recall(order)
  one.withFind({ kind: 'absent' })
  test.clock.nowMs += 2 * DAY_MS
  await process.followUp()
  const administration = createVaultAdministration(test.deps)
  await administration.undecidedCharges()
  await administration.unlinkedCharges()
  await administration.planLinkFill()
  await administration.countLinks()
  await countOpenCancels(test.database.reader, test.clock.nowMs)
  const reading = { accountId: 'one', stepDays: 1, readToMs: 0, readToCode: 0, tries: 0 }
  const part = { period: periodOf(reading.stepDays, test.clock.nowMs), limit: 5 }
  expect(await chargesToRead(test.database.reader, reading, part)).not.toEqual([])
  await unplannedAccounts(test.database.reader)
  await dueReleases(test.database.reader, { nowMs: test.clock.nowMs, limit: 5, busy: ['one'] })
  const named = { accountId: 'one', paymentId: 'p1' }
  await test.database.transact((trx) => planRead(trx, named, test.clock.nowMs))
}

for (const engine of TEST_ENGINES) {
  describe(`queries of the vault on ${engine.name}`, () => {
    it('cost the same however many cards it has seen, and need every index for it', async () => {
      const test = await openTestVault(engine)
      const { database } = test
      onTestFinished(() => database.close())
      const queries = recordQueries()
      onTestFinished(queries.stop)
      await doEverything(test)
      expect(queries.texts.size).toBeGreaterThan(15)
      expect(await queriesThatScan(database, queries.texts, GROWING)).toEqual([])
      // On SQLite sessions are in memory.
      const inMemory = engine.name === 'sqlite' ? ['sessions_expires_at_ms'] : []
      // A unique index, which no query reads.
      const unneeded = [...inMemory, 'card_checks_named']
      expect(await indexesNotNeeded(database, queries.texts, GROWING)).toEqual(unneeded)
    })
  })
}
