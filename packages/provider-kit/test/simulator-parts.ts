// Dependencies of simulators in tests: a stopped clock, repeatable bytes, folders.
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach } from 'vitest'
import type { RandomBytes } from '../src/simulator/authority/authority.js'

/** Starts at the real time, by which certificates are checked; then it is stopped. */
export function createTestClock() {
  const startMs = Math.floor(Date.now() / 1000) * 1000
  let aheadMs = 0
  return {
    now: () => startMs + aheadMs,
    advance: (ms: number) => {
      aheadMs += ms
    },
  }
}

/** The same bytes in every run. */
export function createRepeatableBytes(seed = 'bank'): RandomBytes {
  let drawn = 0
  return (size) => {
    drawn += 1
    const block = createHash('shake256', { outputLength: size })
    return block.update(`${seed} ${drawn}`).digest()
  }
}

export async function temporaryFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'cofre-bank-'))
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/**
 * Keys take long to generate, so the tests of a process share them, and nothing else. The folder is
 * removed after the whole run: the next file of this process uses this module again.
 */
export const SHARED_FOLDER = path.join(process.env.COFRE_TEST_FOLDER ?? '', String(process.pid))

/**
 * A new folder for each test of the calling suite, with the process's keys so far.
 * @param name - The simulator's own part of the shared folder.
 */
export function folderOfEachTest(name = ''): () => string {
  const shared = path.join(SHARED_FOLDER, name)
  let own: Awaited<ReturnType<typeof temporaryFolder>> | undefined
  beforeEach(async () => {
    own = await temporaryFolder()
    await copyKeys(shared, own.folder)
  })
  afterEach(() => own?.remove())
  return () => own?.folder ?? ''
}

/** Copies certificates and their keys. */
async function copyKeys(from: string, to: string): Promise<void> {
  await mkdir(from, { recursive: true })
  const isKey = (file: string) => file === from || file.endsWith('.pem')
  await cp(from, to, { recursive: true, filter: isKey })
}

/** A bank that starts in this folder has its certificates, and empty books. */
export function forgetBooks(folder: string): Promise<void> {
  return rm(path.join(folder, 'books.jsonl'), { force: true })
}
