import type { Log } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { startDueWork } from '@cofre/work'
import { expect, it, onTestFinished } from 'vitest'
import { CARD_KEPT_MS } from './authorization/card-charge.js'
import { createVault } from './create-vault.js'
import { createMemorySessionStore } from './session/session-store-memory.js'
import { openTestVault, orderFor } from './vault.fixture.js'

it('erases a card whose outcome is unknown for long though sessions cannot be swept', async () => {
  const test = await openTestVault(TEST_SQLITE)
  onTestFinished(() => test.database.close())
  test.acquirer.answers = ['unknown']
  await test.vault.authorize(orderFor(await test.deposit()))
  const memorySessions = {
    ...createMemorySessionStore(),
    eraseExpired: () => Promise.reject(new Error('the disk is full')),
  }
  const vault = createVault({ ...test.deps, memorySessions })
  test.clock.nowMs += CARD_KEPT_MS + 1
  await expect(vault.sweep()).rejects.toThrow('the disk is full')
  const open = test.database.reader.selectFrom('authorizations').select('sealed_card')
  expect(await open.execute()).toEqual([{ sealed_card: null }])
})

it('logs that cards cannot be erased beside sessions that cannot be swept', async () => {
  const test = await openTestVault(TEST_SQLITE)
  onTestFinished(() => test.database.close())
  const fails = () => Promise.reject(new Error('the disk is full'))
  const memorySessions = { ...createMemorySessionStore(), eraseExpired: fails }
  const database = { ...test.database, transact: fails }
  const { upkeep } = createVault({ ...test.deps, database, memorySessions })
  const failed: unknown[] = []
  const note: Log['error'] = (fields) => failed.push((fields as { job?: unknown }).job)
  const work = startDueWork(upkeep, { log: { info: note, warn: note, error: note } })
  onTestFinished(() => work.stop())
  await expect.poll(() => failed).toEqual(expect.arrayContaining(['sessions', 'old cards']))
})
