import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MINUTE_MS, Secret } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Mode, readConfig } from '../../config/config.js'
import { SetupError } from '../../config/errors.js'
import { noteDevProcess } from '../../installation/dev-process.js'
import { holdFileLock } from '@cofre/sql'
import { DATABASES } from '../../installation/databases.js'
import { servingLockOf } from '../../installation/files.js'
import { runProgram } from '../../main.js'
import type { CommandContext } from '../line/command.js'

const NOW_MS = Date.UTC(2026, 10, 28)
const STORE = { COFRE_DEV_STORE_ID: 'demo', COFRE_DEV_STORE_SECRET: 'a secret of the demo store' }

describe('a folder of cofre dev', () => {
  let dataDir = ''
  let ended: () => void
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-open-'))
    ended = () => undefined
    await cofre('store create demo')
  })
  afterEach(() => {
    ended()
    rmSync(dataDir, { recursive: true })
  })

  const configOf = (environ: Record<string, string> = {}, mode: Mode = 'dev') =>
    readConfig({ COFRE_DATA_DIR: dataDir, ...STORE, ...environ }, mode)

  async function cofre(line: string, more: Partial<CommandContext> = {}, environ = {}) {
    let output = ''
    let failed = false
    await runProgram(line.split(' '), {
      clock: { now: () => NOW_MS },
      config: () => configOf(environ),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => (failed = true),
      ...more,
    })
    return { output, failed }
  }
  const run = (environ = {}) => {
    ended = noteDevProcess(configOf(environ))
  }

  describe('gives links for its owner by cofre open', () => {
    it('for ten minutes, opened in a browser where there is one, and kept as a hash', async () => {
      run()
      const desktop = { DISPLAY: ':0' }
      const shown: string[] = []
      const openBrowser = (url: string) => shown.push(url) > 0
      const { output } = await cofre('open', { openBrowser }, desktop)
      const [url = ''] = output.split('\n')
      expect(url).toMatch(/^http:\/\/localhost:8083\/link\/[\w-]{43}$/)
      expect(output).toContain(new Date(NOW_MS + 10 * MINUTE_MS).toISOString())
      expect(shown).toEqual([url])
      const rows = await DATABASES.production.use(configOf(), ({ reader }) =>
        reader.selectFrom('console_links').selectAll().execute(),
      )
      expect(rows).toMatchObject([{ purpose: 'demo', merchant_id: 'demo', used_at: null }])
      expect(JSON.stringify(rows)).not.toContain(url.slice(-43))

      await cofre('open --print', { openBrowser }, desktop)
      await cofre('open', { openBrowser }, { SSH_CONNECTION: 'x', ...desktop })
      await cofre('open', {}, desktop)
      expect(shown).toHaveLength(1)
      expect(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')).not.toContain('link')
    })

    it('not for a trial, whose owner signs in otherwise', async () => {
      const trial = { host: '127.0.0.1', address: '127.0.0.1', isDrawn: false } as const
      const secrets = { password: new Secret('x'), certificate: undefined }
      ended = noteDevProcess(
        readConfig({ COFRE_DATA_DIR: dataDir, ...STORE }, 'dev', { ...trial, ...secrets }),
      )
      await expect(cofre('open')).rejects.toThrow(
        /A trial's owner signs in at .*\/sign-in\/sandbox/,
      )
    })

    it('not where none runs, or another process serves the folder', async () => {
      await expect(cofre('open')).rejects.toThrow(/No cofre dev runs on .*npm start/)
      run()
      ended()
      await expect(cofre('open')).rejects.toThrow('No cofre dev runs on')
      const lock = holdFileLock(servingLockOf(configOf(), DATABASES.production) ?? '')
      await expect(cofre('open')).rejects.toThrow('served by another process than cofre dev')
      lock.release()
    })

    it.each([
      ['0.0.0.0', { COFRE_HOST: '0.0.0.0', COFRE_PUBLIC_PANEL_URL: 'http://localhost:8083' }],
      ['a name', { COFRE_PUBLIC_PANEL_URL: 'https://console.example' }],
      ['the sandbox alone', { COFRE_PANEL_ENVIRONMENTS: 'sandbox' }],
    ])('not where the console answers others, or has no owner: %s', async (_, environ) => {
      run(environ)
      await expect(cofre('open', {}, environ)).rejects.toThrow(SetupError)
      expect(configOf(environ).signsDemoOwnerIn).toBe(false)
    })

    it('never by the configuration of serve', () => {
      expect(configOf().signsDemoOwnerIn).toBe(true)
      expect(configOf({}, 'serve').signsDemoOwnerIn).toBe(false)
      const local = { COFRE_PUBLIC_PANEL_URL: 'http://localhost:8083' }
      expect(configOf(local, 'serve').signsDemoOwnerIn).toBe(false)
    })
  })

  describe('loses its examples by cofre sandbox reset', () => {
    beforeEach(async () => {
      await cofre('store create demo --sandbox')
      const set = { merchant_id: 'demo', until_ms: NOW_MS, position: 0, state: 'making' } as const
      await DATABASES.sandbox.use(configOf(), (database) =>
        database.transact((trx) => trx.insertInto('example_sets').values(set).execute()),
      )
    })
    const stateOf = () =>
      DATABASES.sandbox.use(configOf(), async ({ reader }) => {
        const rows = await reader.selectFrom('example_sets').select('state').execute()
        return rows.map(({ state }) => state)
      })
    const terminal = (answer: string) => ({
      terminal: {
        prompt: () => Promise.resolve(answer),
        promptSecret: () => Promise.reject(new Error()),
      },
    })

    it('after a yes on a terminal, and elsewhere by --yes', async () => {
      await expect(cofre('sandbox reset')).rejects.toThrow('--yes')
      const stays = await cofre('sandbox reset', terminal('n'))
      expect(stays).toEqual({ output: 'The examples stay.\n', failed: true })
      expect(await stateOf()).toEqual(['making'])
      expect((await cofre('sandbox reset', terminal('yes'))).output).toContain('were removed')
      expect(await stateOf()).toEqual(['removed'])
      expect((await cofre('sandbox reset --yes --json')).output).toBe('{"removed":0}\n')
    })
  })
})
