import { beforeEach, describe, expect, it } from 'vitest'
import { endProcess, endService } from './end.js'

describe('endProcess', () => {
  let ended: string[]
  let logged: string[]
  beforeEach(() => {
    ended = []
    logged = []
  })
  const write = (_: unknown, message: string): void => {
    logged.push(message)
  }
  const log = { info: write, warn: write, error: write }
  const end = (name: string) => () => {
    ended.push(name)
    return Promise.resolve()
  }
  const never = () => new Promise<void>(() => undefined)

  it('stops everything at once, then closes what was opened, the last one first', async () => {
    let release: () => void = () => undefined
    const slow = async (): Promise<void> => {
      ended.push('worker asked')
      await new Promise<void>((resolve) => (release = resolve))
      ended.push('worker')
    }
    const stops = [slow, end('listener')]
    const ending = endProcess({ stops, closings: [end('database'), end('clock')] }, log)
    expect(ended).toEqual(['worker asked', 'listener'])
    release()
    expect(await ending).toBe(true)
    expect(ended.slice(2)).toEqual(['worker', 'clock', 'database'])
  })

  it.each([
    ['nothing is left', [], 0, { drained: true, underWay: 0, clean: true }],
    ['a request is left', [never], 1, { drained: false, underWay: 1, clean: false }],
    ['an answer is not taken', [never], 0, { drained: false, clean: false }],
  ])('logs at the end whether requests were unfinished: %s', async (_, stops, left, reported) => {
    const lines: unknown[] = []
    const info = (fields: unknown, message: string) => lines.push({ message, fields })
    const service = {
      stops: [...stops],
      closings: [end('database')],
      control: { underWay: () => left },
    }
    expect(await endService(service, { ...log, info }, 10)).toBe(reported.clean)
    expect(lines).toMatchObject([{ message: 'stopped', fields: reported }])
  })

  it('ends the rest when something fails', async () => {
    const fail = () => Promise.reject(new Error('broken'))
    const ending = { stops: [fail, end('listener')], closings: [end('database'), fail] }
    expect(await endProcess(ending, log)).toBe(false)
    expect(ended).toEqual(['listener', 'database'])
    expect(logged).toHaveLength(2)
  })

  it.each([
    ['stop', { stops: [never], closings: [] }],
    ['closing', { stops: [], closings: [never] }],
  ])('waits for no %s that never ends', async (_, ending) => {
    expect(await endProcess(ending, log, 10)).toBe(false)
    expect(logged).toHaveLength(1)
  })
})
