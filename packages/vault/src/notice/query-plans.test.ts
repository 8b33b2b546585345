import { DAY_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { FOLLOWED_FOR_MS } from '../authorization/card-charge.js'
import { createVault } from '../create-vault.js'
import {
  ACCOUNT,
  CODE,
  PAYMENT,
  TestBooks,
  addAccount,
  readableAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { eraseIdsOfCharges } from '../saved-card/saved-card-sql.js'
import { createVaultAdministration } from '../vault-administration.js'
import { openTestVault } from '../vault.fixture.js'
import { testNotices } from './notices.fixture.js'

/** Tables that grow with the events of charges. Looks are removed once they are made. */
const GROWING = { tables: ['card_charges', 'card_returns', 'card_events', 'card_changes'] }

for (const engine of TEST_ENGINES)
  it(`queries about charges that are made cost the same however many there are: ${engine.name}`, async () => {
    const test = await openTestVault(engine)
    onTestFinished(() => test.database.close())
    const books = new TestBooks()
    const vault = createVault({
      ...test.deps,
      connectionOf: () =>
        Promise.resolve({ acquirer: readableAcquirer(books), notices: testNotices }),
    })
    await addAccount(test.deps)
    await storeCharge(test.database)
    const queries = recordQueries()
    onTestFinished(queries.stop)
    const key = { environment: 'production', transactionCode: CODE } as const
    const event = {
      id: 'CHARGEBACK:1',
      change: 'charged_back',
      reference: `testp${CODE}`,
      paymentId: PAYMENT,
      returnId: 'DISPUTE',
      amountMinor: minorUnits(100),
      atMs: 1,
      detail: undefined,
    } as const
    await vault.refund({
      ...key,
      merchantId: 'store-1',
      refundId: '7',
      amountMinor: minorUnits(3000),
    })
    await vault.acceptNotice(ACCOUNT, {
      events: [event, { ...event, id: 'X', paymentId: 'OTHER' }],
    })
    await vault.acceptNotice(ACCOUNT, { hints: [PAYMENT] })
    test.clock.nowMs += DAY_MS
    await vault.followUpCharges()
    const changes = await vault.changes('production')
    await vault.acknowledge(
      'production',
      changes.map(({ id }) => id),
    )
    await vault.census()
    const administration = createVaultAdministration(test.deps)
    await administration.slowRefunds()
    await administration.unlinkedCharges()
    const card = { environment: 'production', merchantId: 'store-1', code: 'card' } as const
    await test.database.transact((trx) => eraseIdsOfCharges(trx, card))
    const released = { events: 1, changes: changes.length }
    expect(await administration.announceAgain('production', 0)).toEqual(released)
    await vault.acknowledge(
      'production',
      changes.map(({ id }) => id),
    )
    test.clock.nowMs += 2 * FOLLOWED_FOR_MS
    await vault.sweep()
    expect(await queriesThatScan(test.database, queries.texts, GROWING)).toEqual([])
    expect(await indexesNotNeeded(test.database, queries.texts, GROWING)).toEqual([])
  })
