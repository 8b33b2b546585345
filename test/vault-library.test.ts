import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT, type Tarball, packAll, projectWith } from './packed-packages.js'

const EXAMPLE = path.join(ROOT, 'docs', 'examples', 'vault-library', 'pay.mjs')

/** The packages of ours that one needs, itself included. */
function ownNeedsOf(name: string, tarballs: ReadonlyMap<string, Tarball>): Set<string> {
  const needed = Object.keys(tarballs.get(name)?.manifest.dependencies ?? {})
  const ours = needed.filter((dependency) => tarballs.has(dependency))
  return new Set([name, ...ours.flatMap((each) => [...ownNeedsOf(each, tarballs)])])
}

describe('The vault as a library', { timeout: 240_000 }, () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cofre-vault-library-'))
  afterAll(() => {
    rmSync(scratch, { recursive: true })
  })

  it('pays from an empty folder after the documented steps', () => {
    const steps = readFileSync(path.join(ROOT, 'docs', 'vault-library.md'), 'utf8')
    const packed = [...steps.matchAll(/--workspace (\S+)/g)].map(([, name]) => name)
    const tarballs = packAll(scratch)
    // What is not among them npm would look for in the registry, where nothing of ours is.
    expect(new Set(packed)).toEqual(ownNeedsOf('@cofre/vault', tarballs))

    const project = projectWith(scratch, '@cofre/vault', tarballs)
    const script = path.join(project, 'pay.mjs')
    copyFileSync(EXAMPLE, script)
    const output = execFileSync(process.execPath, [script], { cwd: project, encoding: 'utf8' })
    expect(output).toContain('approved: visa ************1111\n')
    expect(output).toContain('by its code: approved\n')
  })
})
