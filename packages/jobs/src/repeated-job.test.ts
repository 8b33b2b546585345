import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '@cofre/contracts'
import { type JobWatch, repeatJob, watchJob } from './repeated-job.js'

const MINUTE_MS = 60_000
const PAUSE_MS = 250
const NAME = { job: 'refunds', environment: 'sandbox' } as const

describe('a job that is done over and over', () => {
  let told: { level: string; fields: Record<string, unknown>; message: string }[]
  let watch: JobWatch
  beforeEach(() => {
    vi.useFakeTimers()
    told = []
    const write =
      (level: string): Log['info'] =>
      (fields, message) =>
        told.push({ level, fields, message })
    watch = watchJob(NAME, PAUSE_MS, {
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('waits twice as long after each failure in a row, five seconds at most, and as before once it works', () => {
    const pauses = Array.from({ length: 7 }, () => {
      watch.failed(new Error('gone'))
      return watch.pauseMs()
    })
    expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000])
    watch.succeeded()
    expect(watch.pauseMs()).toBe(PAUSE_MS)
  })

  it('tells its first failure whole, of later ones once a minute how many there were, and once that it works again', () => {
    const error = new Error('gone')
    for (let second = 0; second <= 150; second++) {
      watch.failed(error)
      vi.advanceTimersByTime(1000)
    }
    watch.succeeded()
    watch.succeeded()
    expect(told).toEqual([
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

  it('is told of no more often when it fails and works in turns', () => {
    for (let i = 0; i < 100; i++) {
      watch.failed(new Error('gone'))
      watch.succeeded()
      vi.advanceTimersByTime(PAUSE_MS)
    }
    expect(told.map(({ message }) => message)).toEqual(['a job failed', 'a job works again'])
    vi.advanceTimersByTime(MINUTE_MS)
    watch.failed(new Error('gone'))
    expect(told.at(-1)).toMatchObject({ message: 'a job failed', fields: { failures: 100 } })
  })

  it('is stopped at once within a pause, and by a signal that came before', async () => {
    const stopping = new AbortController()
    let times = 0
    const fails = () => {
      times++
      return Promise.reject(new Error('gone'))
    }
    const running = repeatJob(fails, watch, stopping.signal)
    await vi.advanceTimersByTimeAsync(500 + 1000)
    expect(times).toBe(3)
    stopping.abort()
    await running
    expect(vi.getTimerCount()).toBe(0)
    await repeatJob(fails, watch, stopping.signal)
    expect(times).toBe(3)
  })

  it('is not told of when it fails after it was stopped', async () => {
    const stopping = new AbortController()
    const fails = () => {
      stopping.abort()
      return Promise.reject(new Error('closed'))
    }
    await repeatJob(fails, watch, stopping.signal)
    expect(told).toEqual([])
  })

  it('is not paused after when it was stopped while it ran', async () => {
    const stopping = new AbortController()
    const stop = () => {
      stopping.abort()
      return Promise.resolve()
    }
    await repeatJob(stop, watch, stopping.signal)
    expect(vi.getTimerCount()).toBe(0)
  })
})
