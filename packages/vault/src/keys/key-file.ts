import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { makeFolder } from '@cofre/sql'
import type { KeyEncryption } from './key-encryption.js'
import { type KeyRing, KeyRingError, generateKeyRing, parseKeyRing } from './key-ring.js'
import { sealedBy } from './sealed-value.js'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** Key-encryption keys in a file that other processes may change: no restart is needed. */
export interface KeyFile extends KeyEncryption {
  /** True if the file was just created, and so has no copy anywhere. */
  readonly isNew: boolean
  /** True if other users of the machine may read or change it. Always false on Windows. */
  readonly isExposed: boolean
  /**
   * Adds a new key, current from then on, in every process. Returns its id. @throws KeyRingError
   */
  addKey(): Promise<string>
  /** Removes a key that is not the current one. @throws KeyRingError */
  removeKey(id: string): Promise<void>
}

/**
 * Opens the key ring of a file, which is created with a new key if absent. Several processes may
 * start at once: all get the same key.
 * @throws KeyRingError naming the file if its content is wrong: it is never replaced.
 */
export async function loadKeyFile(file: string): Promise<KeyFile> {
  const existing = await readIfPresent(file)
  let ring = parse(file, existing ?? (await createKeyFile(file)))
  const reload = async (): Promise<KeyRing> => (ring = parse(file, await readFile(file, 'utf8')))
  return {
    isNew: existing === undefined,
    isExposed: process.platform !== 'win32' && ((await stat(file)).mode & OTHERS) !== 0,
    async wrap(dataKey, context) {
      // Never wraps by a key that another process has replaced. A missing file stops no payment:
      // its keys are in memory, and the next start will ask for its backup.
      await reload().catch(() => undefined)
      return await ring.wrap(dataKey, context)
    },
    async unwrap(wrapped, context) {
      if (!ring.keys.has(sealedBy(wrapped))) await reload()
      return await ring.unwrap(wrapped, context)
    },
    keyIds: async () => await (await reload()).keyIds(),
    addKey: () => addKey(file),
    removeKey: (id) => removeKey(file, id),
  }
}

/** The key ring of a file; undefined if there is no file. @throws KeyRingError */
export async function readKeyFile(file: string): Promise<KeyRing | undefined> {
  const text = await readIfPresent(file)
  return text === undefined ? undefined : parse(file, text)
}

function parse(file: string, text: string): KeyRing {
  try {
    return parseKeyRing(text)
  } catch (error) {
    throw error instanceof KeyRingError ? new KeyRingError(`${file}: ${error.message}`) : error
  }
}

async function addKey(file: string): Promise<string> {
  const added = generateKeyRing()
  await replaceKeyFile(file, (entries) => [added, ...entries])
  return parseKeyRing(added).current.id
}

async function removeKey(file: string, id: string): Promise<void> {
  await replaceKeyFile(file, ([current = '', ...others]) => {
    if (current.startsWith(`${id}:`))
      throw new KeyRingError(`${id} is the current key: rotate first`)
    const kept = others.filter((entry) => !entry.startsWith(`${id}:`))
    if (kept.length === others.length) throw new KeyRingError(`${file} has no key ${id}`)
    return [current, ...kept]
  })
}

/** Writes a draft, then puts it in the file's place: a crash leaves the old file or the new. */
async function replaceKeyFile(
  file: string,
  change: (entries: readonly string[]) => readonly string[],
): Promise<void> {
  const draft = `${file}.next`
  const handle = await openDraft(file, draft)
  try {
    // Read only now that no other process can change the file.
    const text = await readFile(file, 'utf8')
    parse(file, text)
    const changed = `${change(text.split(',').map((entry) => entry.trim())).join(',')}\n`
    parse(file, changed)
    await handle.writeFile(changed)
    await handle.sync()
    await handle.close()
    await rename(draft, file)
  } catch (error) {
    await handle.close()
    await unlink(draft)
    throw error
  }
  await syncFolder(path.dirname(file))
}

async function openDraft(file: string, draft: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(draft, 'wx', OWNER_ONLY)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    throw new KeyRingError(
      `${file} is being changed by another command. If none is running, one was interrupted before it changed anything: delete ${draft} and try again`,
    )
  }
}

/** Makes the new name durable before the new key wraps anything. Windows needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EACCES'].some((code) => hasCode(error, code))) throw error
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function createKeyFile(file: string): Promise<string> {
  makeFolder(path.dirname(path.resolve(file)))
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', OWNER_ONLY)
  try {
    await handle.writeFile(`${generateKeyRing()}\n`)
    await handle.sync()
    // A link fails if the file exists, and shows it to others only when it is complete.
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await handle.close()
    await unlink(draft)
  }
  await syncFolder(path.dirname(file))
  return await readFile(file, 'utf8')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
