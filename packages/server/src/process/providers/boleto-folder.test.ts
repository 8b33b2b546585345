import { mkdtempSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBoletoFolder } from './boleto-folder.js'
import type { ImportEnd, ImportedFile } from './return-import.js'
import { needs } from '../../../../../test/needs.js'

const TAKEN = {
  kind: 'taken',
  account: { id: 'bank-1' },
  taken: { lines: [], unrecorded: [], settlementId: 1 },
} as unknown as ImportEnd
const REFUSED: ImportEnd = { kind: 'refused', why: 'It ends early (line 3, column 8)' }

describe('The folder of return files', () => {
  let folder: string
  const imported: string[] = []
  let answers: (ImportEnd | Error)[]
  const logged: object[] = []
  const note = (facts: object): void => void logged.push(facts)
  const log = { info: note, warn: note, error: note }

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-boletos-'))
    imported.splice(0)
    logged.splice(0)
    answers = []
  })
  afterEach(() => rm(folder, { recursive: true }))

  const importFile = ({ name, content }: ImportedFile): Promise<ImportEnd> => {
    imported.push(`${name}: ${Buffer.from(content).toString()}`)
    const answer = answers.shift() ?? TAKEN
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  const watched = () => createBoletoFolder({ folder, importFile, log })
  const put = (name: string, text: string) => writeFile(path.join(folder, name), text)
  const there = async (...names: string[]) =>
    (await readdir(path.join(folder, ...names))).toSorted()

  it('imports each file once, and keeps an earlier one of the same name', async () => {
    const { round } = watched()
    await put('CB.RET', 'monday')
    for (let rounds = 0; rounds < 3; rounds += 1) await round()
    await put('CB.RET', 'tuesday')
    for (let rounds = 0; rounds < 3; rounds += 1) await round()
    expect(imported).toEqual(['CB.RET: monday', 'CB.RET: tuesday'])
    expect(await there()).toEqual(['imported'])
    expect(await there('imported')).toEqual(['CB-2.RET', 'CB.RET'])
  })

  it('waits until a file was written whole, and for its name', async () => {
    const { round } = watched()
    await put('CB.RET', 'half')
    await put('.CB.RET', 'hidden')
    await put('CB.RET.part', 'under way')
    await mkdir(path.join(folder, 'a folder'))
    await round()
    await put('CB.RET', 'half and half')
    await round()
    expect(imported).toEqual([])
    await round()
    expect(imported).toEqual(['CB.RET: half and half'])
    expect(await there()).toEqual(['.CB.RET', 'CB.RET.part', 'a folder', 'imported'])
  })

  it('moves a refused file aside, with the reason beside it', async () => {
    const { round } = watched()
    answers = [REFUSED]
    await put('CB.RET', 'broken')
    await round()
    await round()
    expect(await there()).toEqual(['refused'])
    expect(await there('refused')).toEqual(['CB.RET', 'CB.RET.txt'])
    const text = await readFile(path.join(folder, 'refused', 'CB.RET.txt'), 'utf8')
    expect(text).toBe('It ends early (line 3, column 8)\n')
    expect(logged).toMatchObject([{ file: 'CB.RET' }])
  })

  it('imports a file again after an error, a crash, or an unrecorded line', async () => {
    const part = structuredClone(TAKEN) as unknown as { taken: { unrecorded: number[] } }
    part.taken.unrecorded.push(1001)
    answers = [new Error('the database is away'), part as unknown as ImportEnd]
    await put('CB.RET', 'monday')
    const first = watched()
    await first.round()
    await expect(first.round()).rejects.toThrow('the database is away')
    await first.round()
    expect(await there()).toEqual(['CB.RET'])
    const afterACrash = watched()
    await afterACrash.round()
    await afterACrash.round()
    expect(imported).toEqual(Array.from({ length: 3 }, () => 'CB.RET: monday'))
    expect(await there()).toEqual(['imported'])
  })

  it('imports the files after one that fails', async () => {
    const { round } = watched()
    answers = [new Error('it is locked')]
    await put('A.RET', 'locked')
    await put('B.RET', 'open')
    await round()
    await expect(round()).rejects.toThrow('A.RET could not be imported: it is locked')
    expect(await there()).toEqual(['A.RET', 'imported'])
    expect(await there('imported')).toEqual(['B.RET'])
  })

  it('keeps a file that is replaced during its import', async () => {
    const { round } = createBoletoFolder({
      folder,
      log,
      async importFile(file) {
        if (imported.length === 0) await put('CB.RET', 'the next day')
        return await importFile(file)
      },
    })
    await put('CB.RET', 'a day')
    for (let rounds = 0; rounds < 4; rounds += 1) await round()
    expect(imported).toEqual(['CB.RET: a day', 'CB.RET: the next day'])
  })

  it('overwrites no refused file with the reason of another', async () => {
    answers = [REFUSED, REFUSED]
    const { round } = watched()
    for (const name of ['CB.RET.txt', 'CB.RET']) {
      await put(name, name)
      await round()
      await round()
    }
    const text = await readFile(path.join(folder, 'refused', 'CB.RET.txt'), 'utf8')
    expect(text).toBe('CB.RET.txt')
  })

  // Other systems store names as text.
  it('imports a file whose name is not UTF-8', needs('Linux'), async () => {
    const { round } = watched()
    const name = Buffer.from('COBRAN\xc7A.RET', 'latin1')
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), name]), 'monday')
    await round()
    await round()
    expect(await there('imported')).toEqual(['COBRANÇA.RET'])
  })

  it('continues if another process has moved the file', async () => {
    const { round } = watched()
    await put('A.RET', 'theirs')
    await put('B.RET', 'ours')
    await round()
    const other = watched()
    await other.round()
    await Promise.all([round(), other.round()])
    await round()
    expect(await there()).toEqual(['imported'])
    expect((await there('imported')).toSorted()).toEqual(['A.RET', 'B.RET'])
  })
})
