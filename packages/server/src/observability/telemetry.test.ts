import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchVault } from './telemetry.js'

const URL = 'http://10.0.0.5:8086'

describe('The watch of a vault in another process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function watch() {
    const reported: string[] = []
    const write = (level: string) => (fields: Record<string, unknown>, message: string) => {
      reported.push(`${level} ${message} (${String(fields.failures)})`)
      expect(fields.url).toBe(URL)
    }
    const log = { info: write('info'), warn: write('warn'), error: write('error') }
    let pings = 0
    const state = { isThere: false }
    const vault = {
      ping() {
        pings++
        return state.isThere ? Promise.resolve() : Promise.reject(new Error('was not reached'))
      },
    }
    const check = watchVault(vault, URL, log)
    const look = async (afterMs = 5 * SECOND_MS) => {
      vi.advanceTimersByTime(afterMs)
      return await check().then(
        () => true,
        () => false,
      )
    }
    return { reported, look, state, pings: () => pings }
  }

  const GONE = 'error the vault does not answer; no card can be charged until it does (1)'

  it('logs an outage once, whatever the number of checks, then once a minute, and its end', async () => {
    const { reported, look, state, pings } = watch()
    // The start and a scrape at the same time.
    expect(await Promise.all([look(0), look(0)])).toEqual([false, false])
    expect(await look(SECOND_MS)).toBe(false)
    expect(pings()).toBe(1)
    expect(reported).toEqual([GONE])
    for (let i = 0; i < MINUTE_MS / (5 * SECOND_MS); i++) await look()
    expect(reported).toEqual([GONE, 'error the vault still does not answer (12)'])
    state.isThere = true
    expect(await look()).toBe(true)
    await look()
    expect(reported.slice(2)).toEqual(['info the vault answers again (0)'])
  })

  it('does not flood the log with a link that comes and goes', async () => {
    const { reported, look, state } = watch()
    for (let i = 0; i < 24; i++) {
      state.isThere = i % 2 === 1
      await look()
    }
    expect(reported).toEqual([
      GONE,
      'info the vault answers again (0)',
      'error the vault does not answer; no card can be charged until it does (6)',
      'info the vault answers again (0)',
    ])
  })

  it('logs nothing while the vault answers', async () => {
    const { reported, look, state } = watch()
    state.isThere = true
    expect(await look()).toBe(true)
    expect(reported).toEqual([])
  })
})
