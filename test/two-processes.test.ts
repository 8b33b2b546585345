import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts } from '../packages/server/src/http/free-port.fixture.js'
import { ROOT } from './packed-packages.js'
import { commandsOf, snippetsOf } from './snippets.js'

const COFRE = path.join(ROOT, 'packages/server/dist/cofre.js')
const ROLES = ['API', 'SANDBOX', 'VAULT', 'PANEL', 'VAULT_SERVICE'] as const

/** The blocks of the section in docs/deploy.md. */
const blocks = snippetsOf('docs/deploy.md').filter(
  ({ mark, code }) =>
    mark.startsWith('not run: the test of these files') ||
    /^# (?:vault|gateway)[.]env\n/.test(code),
)

it('starts a vault and a gateway from the environment files of docs/deploy.md', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-two-'))
  const running: ChildProcess[] = []
  onTestFinished(async () => {
    for (const child of running) {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true })
  })
  const own = await freePorts('METRICS', 'NOTICES')
  const others = await freePorts('METRICS', 'NOTICES')
  const ports = await freePorts(...ROLES)
  const { COFRE_VAULT_SERVICE_PORT: servicePort } = ports
  const { PATH, HOME } = process.env
  const environOf = (zone: string) => ({
    PATH,
    HOME,
    ...ports,
    ...(zone === 'vault' ? own : others),
    COFRE_VAULT_SERVICE_URL: zone === 'vault' ? undefined : `http://127.0.0.1:${servicePort}`,
  })
  /** The page's arguments, with the built program. */
  const argsOf = (line: string) =>
    line
      .split(' ')
      .slice(1)
      .map((arg) => (arg.endsWith('cofre.js') ? COFRE : arg))
  const zoneOf = (line: string): string => /--env-file=(\w+)[.]env/.exec(line)?.[1] ?? ''

  const [draw, vaultFile, gatewayFile, starts, create] = blocks.map(({ code }) => code)
  execFileSync('sh', ['-ec', draw ?? ''], {
    cwd: folder,
    env: { PATH: `${path.dirname(process.execPath)}:${PATH ?? ''}` },
  })
  for (const [zone, text] of [
    ['vault', vaultFile],
    ['gateway', gatewayFile],
  ] as const) {
    writeFileSync(path.join(folder, `${zone}.env`), text ?? '')
    // Replaces the database server that the page names.
    writeFileSync(path.join(folder, `${zone}-database-url`), `sqlite:${zone}.db`, { mode: 0o600 })
  }
  for (const line of commandsOf(starts ?? '')) {
    const child = spawn(process.execPath, argsOf(line), {
      cwd: folder,
      env: environOf(zoneOf(line)),
    })
    running.push(child)
    const lines: string[] = []
    child.stderr.on('data', (data: Buffer) => lines.push(data.toString()))
    for await (const text of createInterface({ input: child.stdout })) {
      lines.push(text)
      if (text.includes('"msg":"started"')) break
    }
    expect(lines.join('\n')).toContain('"msg":"started"')
    child.stdout.resume()
  }
  const [line = ''] = commandsOf(create ?? '')
  const made = execFileSync(process.execPath, argsOf(line), {
    cwd: folder,
    env: environOf('gateway'),
    encoding: 'utf8',
  })
  expect(made).toContain('Secret key')
  const doctor = argsOf(line).slice(0, 2)
  const found = execFileSync(process.execPath, [...doctor, 'doctor', '--json'], {
    cwd: folder,
    env: environOf('gateway'),
    encoding: 'utf8',
  })
  expect(JSON.parse(found)).toContainEqual(
    expect.objectContaining({
      level: 'ok',
      subject: expect.stringContaining('vault service') as string,
    }),
  )
})
