import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import { type KeyRing, KeyRingError, generateKeyRing, parseKeyRing } from './key-ring.js'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Reads the key ring of a file, which is created with a new key when absent. Several processes may start at once: all
 * get the same key.
 * @throws KeyRingError naming the file when its content is wrong: it is never replaced.
 */
export async function loadKeyFile(file: string): Promise<KeyRing> {
  const text = (await readIfPresent(file)) ?? (await createKeyFile(file))
  try {
    return parseKeyRing(text)
  } catch (error) {
    throw error instanceof KeyRingError ? new KeyRingError(`${file}: ${error.message}`) : error
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
  await mkdir(path.dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', OWNER_ONLY)
  try {
    await handle.writeFile(`${generateKeyRing()}\n`)
    await handle.sync()
    // A link fails when the file is there, and shows it to others only when it is whole.
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await handle.close()
    await unlink(draft)
  }
  return await readFile(file, 'utf8')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
