import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '@cofre/contracts'
import { type JobBackoff, createJobBackoff } from './backoff.js'

const MINUTE_MS = 60_000
const PAUSE_MS = 250
const NAME = { job: 'refunds', environment: 'sandbox' } as const

describe('the backoff of due work', () => {
  let logged: { level: string; fields: Record<string, unknown>; message: string }[]
  let backoff: JobBackoff
  beforeEach(() => {
    vi.useFakeTimers()
    logged = []
    const write =
      (level: string): Log['info'] =>
      (fields, message) =>
        logged.push({ level, fields, message })
    backoff = createJobBackoff(NAME, PAUSE_MS, {
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('doubles its pause with each failure in a row, up to five seconds, until it succeeds', () => {
    const pauses = Array.from({ length: 7 }, () => {
      backoff.failed(new Error('gone'))
      return backoff.pauseMs()
    })
    expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000])
    backoff.succeeded()
    expect(backoff.pauseMs()).toBe(PAUSE_MS)
  })

  it('logs its first failure whole, later ones as a count each minute, and the end once', () => {
    const error = new Error('gone')
    for (let second = 0; second <= 150; second++) {
      backoff.failed(error)
      vi.advanceTimersByTime(1000)
    }
    backoff.succeeded()
    backoff.succeeded()
    expect(logged).toEqual([
      { level: 'error', message: 'a job failed', fields: { ...NAME, failures: 1, error } },
      {
        level: 'error',
        message: 'a job still fails',
        fields: { ...NAME, failures: 60, reason: 'gone' },
      },
      {
        level: 'error',
        message: 'a job still fails',
        fields: { ...NAME, failures: 60, reason: 'gone' },
      },
      { level: 'info', message: 'a job works again', fields: { ...NAME, failures: 30 } },
    ])
  })

  it('logs no more often when it fails and succeeds by turns', () => {
    for (let i = 0; i < 100; i++) {
      backoff.failed(new Error('gone'))
      backoff.succeeded()
      vi.advanceTimersByTime(PAUSE_MS)
    }
    expect(logged.map(({ message }) => message)).toEqual(['a job failed', 'a job works again'])
    vi.advanceTimersByTime(MINUTE_MS)
    backoff.failed(new Error('gone'))
    expect(logged.at(-1)).toMatchObject({ message: 'a job failed', fields: { failures: 100 } })
  })
})
