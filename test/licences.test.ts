import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from './packed-packages.js'

const SCRIPT = path.join(ROOT, '.ci', 'licences.mjs')

describe('The licences of what runs in production', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-licences-'))
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  const list = (...args: string[]) =>
    spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' })

  it('are all permissive', () => {
    const { status, stdout, stderr } = list()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^hono +\S+ +MIT$/m)
    expect(stdout).not.toMatch(/^vitest /m)
  })

  it.each([
    ['MIT', 0],
    ['(MIT OR GPL-3.0-only)', 0],
    ['(MIT AND GPL-3.0-only)', 1],
    ['AGPL-3.0-only', 1],
    ['SEE LICENSE IN LICENSE', 1],
    [undefined, 1],
  ])('are checked: %s', (license, status) => {
    const lockfile = path.join(folder, 'package-lock.json')
    const packages = { '': {}, 'node_modules/thing': { version: '1.0.0', license } }
    writeFileSync(lockfile, JSON.stringify({ packages }))
    expect(list(lockfile).status).toBe(status)
  })
})
