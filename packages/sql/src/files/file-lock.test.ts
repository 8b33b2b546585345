import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { BrokenLockFileError, FileLockedError, fileLockHolder, holdFileLock } from './file-lock.js'

const MODULE = new URL('../../dist/files/file-lock.js', import.meta.url).href
/**
 * Takes the lock, reads its holder, tries to take it again, reports that it holds it, and stays
 * alive.
 */
const HOLDER = `
  const { fileLockHolder, holdFileLock } = await import(process.argv[1])
  globalThis.lock = holdFileLock(process.argv[2])
  if (fileLockHolder(process.argv[2])?.holder !== process.pid) throw new Error('holder not known')
  let refused
  try { holdFileLock(process.argv[2], 50) } catch (error) { refused = error }
  if (refused?.holder !== process.pid) throw new Error('taken twice')
  console.log('held')
  setInterval(() => globalThis.lock, 1000)`

describe('A lock of a file', () => {
  let folder: string
  let file: string
  let holder: ChildProcess | undefined
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-lock-'))
    file = path.join(folder, 'new', 'data.lock')
  })
  afterEach(async () => {
    await end()
    rmSync(folder, { recursive: true })
  })

  async function startHolder(): Promise<ChildProcess> {
    const args = ['--input-type=module', '-e', HOLDER, MODULE, file]
    holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    if (holder.stdout !== null) await once(holder.stdout, 'data')
    return holder
  }
  async function end(): Promise<void> {
    if (holder === undefined) return
    if (holder.signalCode !== null || holder.exitCode !== null) return
    const exit = once(holder, 'exit')
    holder.kill('SIGKILL')
    await exit
  }
  const refusal = (): unknown => {
    try {
      holdFileLock(file, 50).release()
      return undefined
    } catch (error) {
      return error
    }
  }

  it('is one process’s, which is named, until that is killed', async () => {
    const { pid } = await startHolder()
    expect(fileLockHolder(file)).toEqual({ holder: pid })
    const error = refusal()
    expect(error).toBeInstanceOf(FileLockedError)
    expect(error).toMatchObject({ holder: pid })
    // Neither the look nor the refusal released it.
    expect(refusal()).toBeInstanceOf(FileLockedError)
    await end()
    expect(fileLockHolder(file)).toBeUndefined()
    expect(refusal()).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')(
    'is waited for while its holder ends',
    async () => {
      const { pid = 0 } = await startHolder()
      spawn('sh', ['-c', `sleep 0.3; kill -9 ${pid}`], { stdio: 'ignore' })
      holdFileLock(file, 15_000).release()
    },
    30_000,
  )

  it('is held within a process too, and leaves one file', () => {
    const lock = holdFileLock(file)
    expect(refusal()).toMatchObject({ name: 'FileLockedError', holder: process.pid })
    expect(fileLockHolder(path.relative('.', file))).toEqual({ holder: process.pid })
    lock.release()
    expect(refusal()).toBeUndefined()
    expect(readdirSync(path.dirname(file))).toEqual(['data.lock'])
  })

  it('has no holder if the file is absent', () => {
    expect(fileLockHolder(file)).toBeUndefined()
  })

  it('is written to the disk, so that a power cut leaves none that is broken', () => {
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec')
    onTestFinished(() => {
      exec.mockRestore()
    })
    holdFileLock(file).release()
    expect(exec.mock.calls.flat().join()).not.toMatch(/synchronous/i)
  })

  it.each<[string, (whole: Buffer) => Buffer]>([
    ['something else', () => Buffer.from('something else '.repeat(300))],
    ['full of zeros', (whole) => Buffer.alloc(whole.length)],
    [
      'whole in its header alone',
      (whole) => Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100)]),
    ],
  ])('differs from a file that is %s, which is left as it is', (_, breakIt) => {
    holdFileLock(file).release()
    const broken = breakIt(readFileSync(file))
    writeFileSync(file, broken)
    const error = refusal()
    expect(error).toBeInstanceOf(BrokenLockFileError)
    expect(error).toMatchObject({ message: expect.stringContaining(file) as string })
    expect(() => fileLockHolder(file)).toThrow(BrokenLockFileError)
    expect(readFileSync(file)).toEqual(broken)
  })
})
