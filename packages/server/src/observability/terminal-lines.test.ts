import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { openLog } from './log.js'

describe('warnings of npm start', () => {
  let dataDir = ''
  let written: string[]
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-warnings-'))
    written = []
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const openOn = (output: { readonly isTTY?: boolean }) =>
    openLog(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'), {
      ...output,
      write: (text: string) => written.push(text),
    })

  it('are sentences on a terminal, and whole in the file', async () => {
    const log = openOn({ isTTY: true })
    log.info({}, 'nothing to see')
    log.warn({ role: 'api', durationMs: 1200, requestId: 'r-1' }, 'slow request')
    log.error({ error: new Error('disk full\u001b[2J') }, 'a job failed')
    expect(written).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d warning: slow request \(role api, durationMs 1200\)\n$/,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d error: a job failed: disk full \[2J\n$/),
    ])
    await new Promise(setImmediate)
    const lines = readFileSync(path.join(dataDir, 'cofre.log'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[2]).toContain('"stack"')
  })

  it('are cut where they are long', () => {
    openOn({ isTTY: true }).warn({ peer: 'x'.repeat(1000) }, 'long')
    expect(written[0]?.length).toBeLessThanOrEqual(301)
  })

  it('are JSON elsewhere', () => {
    openOn({}).warn({ role: 'api' }, 'slow request')
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ msg: 'slow request', role: 'api' })
  })
})
