import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../config/config.js'
import { checkConsole, checkLetters } from './console-checks.js'

const NAMED = { COFRE_PUBLIC_PANEL_URL: 'https://console.example' }
const configOf = (environ: Record<string, string> = {}) =>
  readConfig({ COFRE_DATA_DIR: tmpdir(), ...environ }, 'serve')

describe('the doctor, on the console', () => {
  const found = (environ: Record<string, string> = {}) =>
    [...checkConsole(configOf(environ))].map(
      ({ level, subject, finding }) => `${level}: ${subject}: ${finding}`,
    )

  it('shows the environments, and the name of the passkeys', () => {
    expect(found(NAMED)).toEqual([
      'ok: console: shows production and sandbox',
      'ok: passkeys: belong to https://console.example',
    ])
  })

  it.each(['http://10.0.0.7:8083', 'https://10.0.0.7', 'http://console.example'])(
    'shows why production and passkeys are off at %s',
    (url) => {
      expect(found({ COFRE_PUBLIC_PANEL_URL: url })).toEqual([
        expect.stringContaining(
          `warning: console: production is off, because its address is ${url}`,
        ),
        expect.stringContaining(
          `warning: passkeys: there are none at ${url}: browsers allow no passkeys on an IP address`,
        ),
      ])
    },
  )

  it('reports that production was left out', () => {
    expect(found({ ...NAMED, COFRE_PANEL_ENVIRONMENTS: 'sandbox' })[0]).toBe(
      'ok: console: production is off: COFRE_PANEL_ENVIRONMENTS does not include it',
    )
  })
})

describe('the doctor, on letters', () => {
  const found = async (environ: Record<string, string> = {}) => {
    const { level, finding } = await checkLetters(configOf({ ...NAMED, ...environ }))
    return `${level}: ${finding}`
  }

  it('connects and signs in as for a letter, and sends none', async () => {
    let letters = 0
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        if (password === 'right') done(null, { user: username })
        else done(new Error('535 no'))
      },
      onMailFrom(_address, _session, done) {
        letters += 1
        done()
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(
      () =>
        new Promise((resolve) => {
          server.close(resolve)
        }),
    )
    const { port } = server.server.address() as AddressInfo
    const at = (password: string) => ({
      COFRE_SMTP_URL: `smtp://cofre:${password}@127.0.0.1:${port}`,
    })
    expect(await found(at('right'))).toBe(
      `ok: 127.0.0.1:${port} answers and accepts Cofre's login; no e-mail was sent`,
    )
    const refused = await found(at('wrong1'))
    expect(refused).toMatch(/^problem: 127\.0\.0\.1:\d+ accepts no e-mail: /)
    expect(refused).not.toContain('wrong1')
    expect(letters).toBe(0)
  })

  it('reports a server that refuses connections, or is silent for five seconds', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const url = { COFRE_SMTP_URL: `smtp://127.0.0.1:${port}` }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let shown: string | undefined
    void found(url).then((finding) => (shown = finding))
    await once(silent, 'connection')
    while (shown === undefined) {
      await vi.advanceTimersByTimeAsync(100)
      await new Promise(setImmediate)
    }
    expect(shown).toMatch(/^problem: .*accepts no e-mail: /)
    vi.useRealTimers()
    await new Promise((resolve) => {
      silent.close(resolve)
    })
    expect(await found(url)).toMatch(/^problem: .*ECONNREFUSED/)
  })

  it('reports that no letters are sent', async () => {
    expect(await found()).toContain('ok: no e-mail is sent, because COFRE_SMTP_URL is not set')
  })
})
