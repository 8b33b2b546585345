import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileLockedError, fileLockHolder, holdFileLock } from './file-lock.js'

const MODULE = new URL('../dist/file-lock.js', import.meta.url).href
/** Takes the lock, says so, and goes on living. */
const HOLDER = `
  const { holdFileLock } = await import(process.argv[1])
  globalThis.lock = holdFileLock(process.argv[2])
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
    // Nor did the look, or the refusal, let go for it.
    expect(refusal()).toBeInstanceOf(FileLockedError)
    await end()
    expect(fileLockHolder(file)).toBeUndefined()
    expect(refusal()).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('is waited for while its holder ends', async () => {
    const { pid = 0 } = await startHolder()
    spawn('sh', ['-c', `sleep 0.3; kill -9 ${pid}`], { stdio: 'ignore' })
    holdFileLock(file).release()
  })

  it('is held within a process too, and leaves one file', () => {
    const lock = holdFileLock(file)
    expect(refusal()).toBeInstanceOf(FileLockedError)
    lock.release()
    expect(refusal()).toBeUndefined()
    expect(readdirSync(path.dirname(file))).toEqual(['data.lock'])
  })

  it('is nobody’s where no file is, and is no file that is something else', () => {
    expect(fileLockHolder(file)).toBeUndefined()
    file = path.join(folder, 'other')
    writeFileSync(file, 'something else '.repeat(100))
    expect(refusal()).toMatchObject({ message: expect.stringMatching('not a database') as string })
  })
})
