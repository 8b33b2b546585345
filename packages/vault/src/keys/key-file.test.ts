import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadKeyFile } from './key-file.js'
import { generateKeyRing } from './key-ring.js'

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

  it('is not created where it cannot be read', async () => {
    await expect(loadKeyFile(folder)).rejects.toMatchObject({ code: 'EISDIR' })
  })
})
