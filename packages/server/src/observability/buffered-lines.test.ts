import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bufferedLines } from './buffered-lines.js'
import { needs } from '../../../../test/needs.js'

const SOURCE = new URL('buffered-lines.ts', import.meta.url).href

describe('buffered lines', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-lines-'))
    file = path.join(folder, 'cofre.log')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  const written = () => readFileSync(file, 'utf8')

  it('are written together, in their order, before the process waits', async () => {
    writeFileSync(file, 'before\n')
    const log = bufferedLines(file)
    log.write('one\n')
    log.write('two\n')
    expect(written()).toBe('before\n')
    await new Promise(setImmediate)
    expect(written()).toBe('before\none\ntwo\n')
  })

  it('are not buffered without end', () => {
    const log = bufferedLines(file)
    const line = `${'x'.repeat(999)}\n`
    for (let i = 0; i < 1000; i++) log.write(line)
    expect(written().length).toBeGreaterThan(900_000)
  })

  it.each([
    ['has nothing left to do', '', 0],
    ['is ended', 'process.exit(3)', 3],
    ['fails', 'throw new Error("broken")', 1],
    ['rejects', 'await Promise.reject(new Error("broken"))', 1],
  ])('are written when the process %s', async (_, end, code) => {
    expect(await runs(`log.write('last words\\n'); ${end}`)).toMatchObject({ code })
    expect(written()).toBe('last words\n')
  })

  it(
    'that cannot be written do not stop the process, and are reported once',
    needs('/dev/full'),
    async () => {
      symlinkSync('/dev/full', file)
      const turn = `log.write('x\\n'); await new Promise(setImmediate);`
      const { code, errors } = await runs(`${turn} ${turn} console.error('still here')`)
      expect(code).toBe(0)
      expect(errors).toMatch(/^cofre: the log cannot be written: ENOSPC[^\n]*\nstill here\n$/)
    },
  )

  /** Runs a program with `log`, in its own process. */
  function runs(program: string): Promise<{ code: number | null; errors: string }> {
    const script = `import { bufferedLines } from ${JSON.stringify(SOURCE)}
      const log = bufferedLines(${JSON.stringify(file)})
      ${program}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    return new Promise((resolve) => {
      child.once('close', (code) => {
        resolve({ code, errors })
      })
    })
  }
})
