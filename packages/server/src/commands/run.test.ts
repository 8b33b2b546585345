import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { runProgram } from '../program.js'

it('heeds a termination that comes while it starts', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-run-'))
  let isHeard = false
  await runProgram('serve --roles vault'.split(' '), {
    clock: { now: () => Date.now() },
    config: (mode) => {
      // Before anything could be opened.
      setImmediate(() => (isHeard = process.emit('SIGTERM')))
      return readConfig(
        { COFRE_DATA_DIR: dataDir, COFRE_ACQUIRER: 'sandbox', COFRE_VAULT_PORT: '21395' },
        mode,
      )
    },
    print: () => undefined,
    warn: () => undefined,
    fail: () => undefined,
  })
  expect(isHeard).toBe(true)
  rmSync(dataDir, { recursive: true })
})
