import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadKeyFile, readKeyFile } from './key-file.js'
import { KeyRingError, generateKeyRing } from './key-ring.js'
import { sealedBy } from './sealed-value.js'

const CONTEXT = { purpose: 'data-key', recordId: 'a' } as const
const DATA_KEY = Buffer.alloc(32, 3)

describe('A key file', () => {
  let folder: string
  let file: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cofre-keys-'))
    file = path.join(folder, 'data', 'vault.keys')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is created for its owner only, and then read', async () => {
    const created = await loadKeyFile(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(created.isNew).toBe(true)
    const read = await loadKeyFile(file)
    expect(read.isNew).toBe(false)
    expect(await read.keyIds()).toEqual(await created.keyIds())
  })

  it.skipIf(process.platform === 'win32')('reports if other users may read it', async () => {
    expect((await loadKeyFile(file)).isExposed).toBe(false)
    for (const mode of [0o640, 0o604]) {
      await chmod(file, mode)
      expect((await loadKeyFile(file)).isExposed).toBe(true)
    }
  })

  it('is created once, by whichever of many processes comes first', async () => {
    const rings = await Promise.all(Array.from({ length: 10 }, () => loadKeyFile(file)))
    const ids = await Promise.all(rings.map((ring) => ring.keyIds()))
    expect(new Set(ids.flat()).size).toBe(1)
    expect(await readdir(path.dirname(file))).toEqual(['vault.keys'])
  })

  it.each([
    ['empty', ''],
    ['cut short', generateKeyRing().slice(0, 20)],
    ['something else', '{"key":1}'],
  ])('is named and left alone when it is %s', async (_, text) => {
    file = path.join(folder, 'vault.keys')
    await writeFile(file, text)
    await expect(loadKeyFile(file)).rejects.toThrow(file)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('gives a new key to every process that has it open, without a restart', async () => {
    const [operator, running] = [await loadKeyFile(file), await loadKeyFile(file)]
    const before = await running.wrap(DATA_KEY, CONTEXT)
    const id = await operator.addKey()
    const after = await operator.wrap(DATA_KEY, CONTEXT)
    expect(sealedBy(after)).toBe(id)
    for (const wrapped of [before, after])
      expect(await running.unwrap(wrapped, CONTEXT)).toEqual(DATA_KEY)
    expect(sealedBy(await running.wrap(DATA_KEY, CONTEXT))).toBe(id)
  })

  it('wraps nothing by a replaced key, even in a process that has not met the new one', async () => {
    const [operator, running] = [await loadKeyFile(file), await loadKeyFile(file)]
    const id = await operator.addKey()
    expect(sealedBy(await running.wrap(DATA_KEY, CONTEXT))).toBe(id)
  })

  it('keeps its mode and every key when keys are added', async () => {
    const keys = await loadKeyFile(file)
    const [first] = await keys.keyIds()
    const added = [await keys.addKey(), await keys.addKey()]
    expect(await keys.keyIds()).toEqual([...added.toReversed(), first])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(path.dirname(file))).toEqual(['vault.keys'])
  })

  it('loses no key to commands that run at once', async () => {
    const keys = await loadKeyFile(file)
    const added = await Promise.allSettled(Array.from({ length: 10 }, () => keys.addKey()))
    const ids = added.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(ids.length).toBeGreaterThan(0)
    expect(await keys.keyIds()).toHaveLength(ids.length + 1)
    expect(await keys.keyIds()).toEqual(expect.arrayContaining(ids))
  })

  it('explains what to do about an interrupted change, and is itself complete', async () => {
    const keys = await loadKeyFile(file)
    await writeFile(`${file}.next`, 'half')
    await expect(keys.addKey()).rejects.toThrow(`delete ${file}.next`)
    await expect(keys.keyIds()).resolves.toHaveLength(1)
    await rm(`${file}.next`)
    await expect(keys.addKey()).resolves.toBeDefined()
  })

  it('lets an older key go, but not the current one', async () => {
    const keys = await loadKeyFile(file)
    const [old] = await keys.keyIds()
    const id = await keys.addKey()
    await expect(keys.removeKey(id)).rejects.toThrow(KeyRingError)
    await expect(keys.removeKey('nobody')).rejects.toThrow(KeyRingError)
    await keys.removeKey(old)
    expect(await keys.keyIds()).toEqual([id])
    expect(await readdir(path.dirname(file))).toEqual(['vault.keys'])
  })

  it('stops no payment when it is gone, and is not needed for reading', async () => {
    const keys = await loadKeyFile(file)
    await rm(file)
    const wrapped = await keys.wrap(DATA_KEY, CONTEXT)
    expect(await keys.unwrap(wrapped, CONTEXT)).toEqual(DATA_KEY)
    expect(await readKeyFile(file)).toBeUndefined()
  })

  it('is not created where it cannot be read', async () => {
    await expect(loadKeyFile(folder)).rejects.toMatchObject({ code: 'EISDIR' })
  })
})
