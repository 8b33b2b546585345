import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import { expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { currentRequest, openLog } from './log.js'

const CARD = '4111111111111111'

/** An error like those of libraries, which carry the data of their work. */
function carrying(message: string, cause?: unknown): Error {
  const error = new Error(message, { cause })
  return Object.assign(error, {
    config: { headers: { authorization: CARD }, body: CARD },
    parameters: [CARD],
    detail: `Key (card)=(${CARD})`,
  })
}

it('writes of an error its name, message and stack, down the chain of causes, and nothing that it carries', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-log-'))
  const log = openLog(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
  const error = carrying('outer', carrying('middle', carrying('inner')))
  currentRequest.run({ requestId: 'request-1' }, () => {
    log.info({ error, card: new Secret(CARD) }, 'a job failed')
  })
  await new Promise(setImmediate)
  const text = readFileSync(path.join(dataDir, 'cofre.log'), 'utf8')
  expect(text).not.toContain(CARD)
  expect(JSON.parse(text)).toMatchObject({
    // ISO 8601, for people.
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    requestId: 'request-1',
    card: '[secret]',
    error: { message: 'outer', cause: { message: 'middle', cause: { message: 'inner' } } },
  })
  rmSync(dataDir, { recursive: true })
})
