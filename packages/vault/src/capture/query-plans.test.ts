import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { FOLLOWED_FOR_MS } from '../authorization/card-charge.js'
import { event } from '../notice/notices.fixture.js'
import { ACCOUNT, addAccount, storeCharge } from '../refund/charged.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { openTestVault } from '../vault.fixture.js'
import {
  AuthorizedPayment,
  VOID,
  captureOf,
  changesIn,
  processAt,
  refusedAs,
} from './authorized.fixture.js'

const GROWING = { tables: ['card_captures', 'card_charges', 'card_changes'] }

for (const engine of TEST_ENGINES)
  it(`queries about captures cost the same however many there are: ${engine.name}`, async () => {
    const test = await openTestVault(engine)
    onTestFinished(() => test.database.close())
    const payment = new AuthorizedPayment()
    const vault = processAt(test, payment.readable)
    await addAccount(test.deps)
    await storeCharge(test.database, { captureDays: 7 })
    const queries = recordQueries()
    onTestFinished(queries.stop)
    payment.fates.push(refusedAs('other'), 'cut')
    await vault.capture(captureOf())
    await vault.capture(captureOf())
    expect(await vault.voidCharge(VOID)).toMatchObject({ kind: 'in_process' })
    expect((await vault.census()).openCaptures).toMatchObject([{ operation: 'void', count: 1 }])
    expect(await createVaultAdministration(test.deps).slowCaptures()).toEqual([])
    await vault.acceptNotice(ACCOUNT, { events: [event('cancel_failed')] })
    test.clock.nowMs += 10 * DAY_MS
    await vault.followUpCharges()
    await vault.capture(captureOf())
    expect(await changesIn(vault)).toContainEqual({ kind: 'captured', amountMinor: 10_000 })
    test.clock.nowMs += 2 * FOLLOWED_FOR_MS
    await vault.sweep()
    expect(await queriesThatScan(test.database, queries.texts, GROWING)).toEqual([])
    const own = { tables: ['card_captures'] }
    expect(await indexesNotNeeded(test.database, queries.texts, own)).toEqual([])
  })
