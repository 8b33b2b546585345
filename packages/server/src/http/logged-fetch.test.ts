import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { loggedFetch } from './logged-fetch.js'

async function loggedPath(target: string): Promise<unknown> {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const fetch = loggedFetch(() => new Response(), log, 'api')
  await fetch(new Request(`http://127.0.0.1${target}`), {})
  return (JSON.parse(lines[0] ?? '{}') as { path: unknown }).path
}

describe('loggedFetch', () => {
  it.each([
    ['/transactions/59572800088955', '/transactions/59572800088955'],
    ['/transactions/4111111111111111', '/transactions/[digits]'],
    ['/transactions/378282246310005', '/transactions/[digits]'],
    ['/transactions/30569309025904', '/transactions/[digits]'],
    ['/transactions/41111111111111119/x', '/transactions/[digits]/x'],
    ['/transactions?page=2', '/transactions'],
    ['/card/bin/411111', '/card/bin/411111'],
    ['/card/bin/4111111111111111', '/card/bin/[digits]'],
    ['/card/bin/4111%201111%201111%201111', '/card/bin/[digits]'],
    ['/transactions/4111-1111-1111-1111', '/transactions/[digits]'],
    ['/4111111111111111/x', '/[digits]/x'],
  ])('writes %s as %s', async (target, written) => {
    expect(await loggedPath(target)).toBe(written)
  })
})
