// PCI DSS requires separate zones: a process loads only the parts of a provider that its zone
// needs.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts } from '../packages/server/src/http/free-port.fixture.js'
import { ROOT } from './packed-packages.js'

const HOOK = pathToFileURL(path.join(ROOT, 'test', 'loaded-modules.mjs')).href
const COFRE = path.join(ROOT, 'packages', 'server', 'dist', 'cofre.js')

/**
 * Runs a program until its output contains `until`. Returns the parts of providers that it loaded.
 */
async function partsLoadedBy(
  args: readonly string[],
  until: string,
  environ: Readonly<Record<string, string | undefined>> = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-zones-'))
  const loaded = path.join(folder, 'loaded')
  const child = spawn(process.execPath, ['--import', HOOK, ...args], {
    env: { PATH: process.env.PATH, COFRE_DATA_DIR: folder, COFRE_LOADED: loaded, ...environ },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  const lines: string[] = []
  child.stderr.on('data', (data: Buffer) => lines.push(data.toString()))
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes(until)) break
  }
  expect(lines.join('\n')).toContain(until)
  child.stdout.resume()
  const parts = readFileSync(loaded, 'utf8')
    .split('\n')
    .flatMap((module) => {
      const [, of, part] = /^(?:providers\/|(provider-kit)\/dist\/)([^/]+)/.exec(module) ?? []
      if (part === undefined) return []
      if (of !== undefined) return `kit/${part}`
      return /^providers\/([^/]+\/dist\/[^/]+)/.exec(module)?.[1]?.replace('/dist', '') ?? []
    })
  return [...new Set(parts)].toSorted()
}

/** Ports and texts, which the program has in every role: no connector, and no simulator. */
const PORTS = ['kit/account', 'kit/bank', 'kit/card']
const REGISTRY_ALONE = 'index/index.js'

it('serves a vault with nothing of any provider until an account wants it', async () => {
  const parts = await partsLoadedBy([COFRE, 'serve', '--roles', 'vault'], '"msg":"started"', {
    ...(await freePorts('VAULT', 'VAULT_SERVICE', 'METRICS')),
  })
  expect(parts).toEqual([REGISTRY_ALONE, ...PORTS])
})

it('serves a gateway with the titles of its files alone', async () => {
  const roles = 'api,sandbox,panel,worker,notices'
  const parts = await partsLoadedBy([COFRE, 'serve', '--roles', roles], '"msg":"started"', {
    ...(await freePorts('API', 'SANDBOX', 'PANEL', 'NOTICES', 'METRICS')),
    COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:1',
    COFRE_VAULT_SERVICE_KEY: `key:${randomBytes(32).toString('base64url')}`,
  })
  const titles = ['adyen/report', 'cielo/report', 'cnab/return']
  expect(parts).toEqual([...titles, REGISTRY_ALONE, ...PORTS])
})

const REGISTRY = pathToFileURL(path.join(ROOT, 'packages/providers/index/dist/index.js')).href
const BANK_ZONE =
  /^(?:[\w-]+\/(?:bank|cnab-[a-z-]+\.js|index\.js|record|remittance)|kit\/(?:account|bank|outbound))$/

it.each([
  ['loadAcquirers', 'connect', /\/(?:card|terms|index\.js)$|^kit\/(?:account|card|outbound)$/],
  ['loadAcquirerTerms', '', /\/(?:terms|index\.js)$|^kit\/account$/],
  ['loadBanks', 'connect', BANK_ZONE],
  ['loadReports', 'loadReader', /\/(?:record|report|return|index\.js)$|^kit\/(?:bank|report)$/],
  ['loadReturnFiles', '', /^cnab\/(?:record|return)$|^index\/|^kit\/(?:bank|report)$/],
] as const)('loads by %s what its zone has, and nothing else', async (load, use, zone) => {
  const program = `import { ${load} } from '${REGISTRY}'
    const found = [await ${load}()].flat()
    for (const provider of found)
      try {
        await provider['${use}']?.({ settings: {}, secrets: {} }, {})
      } catch {
        // No account is like that: what connecting loads, it has loaded.
      }
    console.log('found', found.length)`
  const parts = await partsLoadedBy(['--input-type=module', '--eval', program], 'found')
  expect(parts.filter((part) => !zone.test(part))).toEqual([])
  expect(parts.length).toBeGreaterThan(1)
})
