import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MINUTE_MS } from '@cofre/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { runProgram } from '../../main.js'

const NOW_MS = Date.UTC(2026, 10, 21, 12)

it('cofre notifications list shows stores that do not acknowledge, since when, and their last response', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-notifications-'))
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
  const cofre = async (line: string): Promise<string> => {
    let output = ''
    await runProgram(line.split(' '), {
      clock: { now: () => NOW_MS },
      config: () => config,
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return output
  }
  await expect(cofre('notifications list --failing')).rejects.toThrow('There is no gateway here')
  await cofre('store create loja-um')
  expect(await cofre('notifications list --failing')).toBe('No store is failing in production.\n')
  expect(await cofre('notifications list')).toBe('No notifications wait in production.\n')

  const database = await DATABASES.production.open(config)
  const notification = (code: number, store: string, minutes: number, attempts: number) => ({
    transaction_code: code,
    position: 1,
    merchant_id: store,
    refund_id: null,
    status: 'COMPLETE' as const,
    url: 'https://shop.example/notifications',
    created_at: NOW_MS - minutes * MINUTE_MS,
    attempts,
    next_attempt_at: NOW_MS,
    lease_until: null,
    acknowledged_at: null,
    searched_at: null,
    done_at: null,
    blocked: 0,
    lane: store,
  })
  const attempt = (code: number, number: number, status: number | null, minutes: number) => ({
    transaction_code: code,
    position: 1,
    attempt: number,
    at: NOW_MS - minutes * MINUTE_MS,
    status_code: status,
    error: status === null ? 'timeout' : null,
    duration_ms: 1,
    response_excerpt: 'what a shop says is not shown',
  })
  await database.transact(async (trx) => {
    await trx
      .insertInto('notifications')
      .values([
        notification(1, 'loja-um', 5, 0),
        notification(2, 'loja-dois', 20, 1),
        notification(3, 'loja-tres', 90, 2),
        notification(4, 'loja-tres', 80, 1),
        notification(5, 'loja-quatro', 70, 1),
      ])
      .execute()
    await trx
      .insertInto('notification_attempts')
      .values([
        attempt(2, 1, 500, 10),
        attempt(3, 1, 404, 89),
        attempt(3, 2, null, 79),
        attempt(4, 1, 404, 80),
        attempt(5, 1, 500, 70),
      ])
      .execute()
    await trx.insertInto('acknowledging_stores').values({ merchant_id: 'loja-quatro' }).execute()
    const failing = { since: NOW_MS - 90 * MINUTE_MS, probes: 1 }
    await trx
      .insertInto('failing_lanes')
      .values([
        { merchant_id: 'loja-tres', lane: 'loja-tres', probe_at: NOW_MS, ...failing },
        { merchant_id: 'loja-dois', lane: 'loja-dois', probe_at: null, ...failing },
      ])
      .execute()
  })
  await database.close()

  expect(await cofre('notifications list --failing')).toBe(
    [
      'Store      Waiting  Oldest                                                          Last answer  At',
      'loja-tres  2        2026-11-21T10:30:00.000Z  failing, one repeated every interval  timeout      2026-11-21T10:41:00.000Z',
      'loja-dois  1        2026-11-21T11:40:00.000Z  failing                               500          2026-11-21T11:50:00.000Z',
      '',
      '2 of 2 such stores in production.',
      '',
    ].join('\n'),
  )
  expect(JSON.parse(await cofre('notifications list --json'))).toMatchObject({
    environment: 'production',
    all: 4,
    stores: [
      { store: 'loja-tres', waiting: 2, failing: true, probed: true, lastAnswer: 'timeout' },
      { store: 'loja-quatro', waiting: 1, failing: false, lastAnswer: '500' },
      { store: 'loja-dois', waiting: 1, failing: true, probed: false, lastAnswer: '500' },
      { store: 'loja-um', waiting: 1, failing: false, lastAnswer: null, lastAt: null },
    ],
  })
  expect(await cofre('notifications forget --older-than 1h --json')).toBe(
    '{"environment":"production","before":"2026-11-21T11:00:00.000Z","deleted":0}\n',
  )
  await expect(cofre('notifications forget')).rejects.toThrow('--older-than')
  expect(await cofre('notifications list --help')).toContain('list --failing')
})
