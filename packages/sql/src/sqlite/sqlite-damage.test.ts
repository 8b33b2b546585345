import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.js'
import { DamagedDatabaseError } from '../errors/damage.js'
import { inspectDatabase } from '../inspect-database.js'
import { NOTES_MIGRATIONS, type NotesTables } from '../notes.fixture.js'
import { openDatabase } from '../open-database.js'
import { checkSqlitePages } from './sqlite-damage.js'
import { copySqliteFile } from './sqlite-copy.js'
import { readWriteAheadLog } from './write-ahead-log.js'

const SUFFIXES = ['', '-wal', '-shm']
const FRAME_BYTES = 24 + 4096
const LOG_HEADER_BYTES = 32
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex')

describe('A damaged SQLite database', () => {
  let folder: string
  let notes = 0

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-damage-'))
    notes = 0
  })

  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const optionsFor = (file: string) => ({
    url: `sqlite:${file}`,
    schema: 'test',
    migrations: NOTES_MIGRATIONS,
  })
  const open = (file: string): Promise<Database<NotesTables>> => openDatabase(optionsFor(file))

  const write = (database: Database<NotesTables>, text: string) =>
    database.transact((trx) => trx.insertInto('notes').values({ id: notes++, text }).execute())

  const countOf = async (database: Database<NotesTables>) =>
    (await database.reader.selectFrom('notes').selectAll().execute()).length

  /** Files of a killed process: fifty commits, most of them only in the log. */
  async function killed(): Promise<string> {
    const live = path.join(folder, 'live.db')
    const database = await open(live)
    for (let i = 0; i < 50; i++) await write(database, `note ${i} ${'x'.repeat(400)}`)
    const file = path.join(folder, 'killed.db')
    for (const suffix of SUFFIXES) copyFileSync(live + suffix, file + suffix)
    await database.close()
    return file
  }

  /** Files after an orderly end. */
  async function stopped(): Promise<string> {
    const file = path.join(folder, 'stopped.db')
    const database = await open(file)
    for (let i = 0; i < 500; i++) await write(database, `note ${i} ${'x'.repeat(400)}`)
    await database.close()
    return file
  }

  const contents = (file: string) =>
    SUFFIXES.filter((suffix) => existsSync(file + suffix)).map((suffix) =>
      readFileSync(file + suffix).toString('base64'),
    )

  it('that was only killed is opened with all that it had, also without the index of its log', async () => {
    const file = await killed()
    rmSync(`${file}-shm`)
    checkSqlitePages(file, 'full')
    const database = await open(file)
    expect(await countOf(database)).toBe(50)
    await database.close()
  })

  it.each([
    ['before its first page was written', 0],
    ['before its journal was removed', 4096],
  ])('that was killed while it was made, %s, is made by the next start', async (_, bytes) => {
    const file = path.join(folder, 'begun.db')
    const maker = new DatabaseSync(file)
    maker.exec('BEGIN IMMEDIATE; CREATE TABLE first (id)')
    const journal = readFileSync(`${file}-journal`)
    maker.exec('COMMIT')
    maker.close()
    truncateSync(file, bytes)
    // Its first bytes are written once it is on disk.
    JOURNAL_MAGIC.copy(journal)
    writeFileSync(`${file}-journal`, journal)
    checkSqlitePages(file, 'quick')
    const database = await open(file)
    expect(await countOf(database)).toBe(0)
    await database.close()
    expect(existsSync(`${file}-journal`)).toBe(false)
  })

  it.each<[string, (file: string) => void, RegExp]>([
    [
      'a page in the middle of the log',
      (file) => {
        flip(`${file}-wal`, frameAt(30) + 100)
      },
      /killed\.db-wal is not as it was written at frame 30/,
    ],
    [
      'the salts of a frame',
      (file) => {
        flip(`${file}-wal`, frameAt(30) + 9)
      },
      /at frame 30/,
    ],
    [
      'the checksum of a frame',
      (file) => {
        flip(`${file}-wal`, frameAt(30) + 17)
      },
      /at frame 30/,
    ],
    ...[0, 3, 9, 13, 20, 26].map((at): [string, (file: string) => void, RegExp] => [
      `byte ${at} of the header of the log`,
      (file) => {
        flip(`${file}-wal`, at)
      },
      /at frame 0/,
    ]),
    [
      'the last commit of the log',
      (file) => {
        flip(`${file}-wal`, statSync(`${file}-wal`).size - 100)
      },
      /can be read to frame \d+ only, and had commits to frame \d+/,
    ],
    [
      'a log that is cut off',
      (file) => {
        truncateSync(`${file}-wal`, frameAt(30))
      },
      /can be read to frame 29 only/,
    ],
    [
      'a log that was deleted',
      (file) => {
        rmSync(`${file}-wal`)
      },
      /killed\.db-wal is gone/,
    ],
    [
      'a database that was deleted beside its log',
      (file) => {
        rmSync(file)
      },
      /it is gone, and its write-ahead log/,
    ],
    [
      'a database that was emptied',
      (file) => {
        truncateSync(file, 0)
      },
      /it is empty/,
    ],
  ])('is refused, named and left as it is: %s', async (_, damage, finding) => {
    const file = await killed()
    damage(file)
    const before = contents(file)
    const failure = await open(file).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DamagedDatabaseError)
    expect(String(failure)).toMatch(finding)
    expect(contents(file)).toEqual(before)
  })

  it('is also refused by an inspection and by a copy', async () => {
    const file = await killed()
    flip(`${file}-wal`, frameAt(30) + 100)
    const before = contents(file)
    await expect(inspectDatabase(optionsFor(file))).rejects.toThrow(/at frame 30/)
    expect(() => {
      copySqliteFile(file, path.join(folder, 'copy.db'))
    }).toThrow(/at frame 30/)
    expect(contents(file)).toEqual(before)
  })

  it('is found without the index of its log too, when commits are behind the damage', async () => {
    const file = await killed()
    rmSync(`${file}-shm`)
    flip(`${file}-wal`, frameAt(30) + 100)
    await expect(open(file)).rejects.toThrow(/at frame 30/)
  })

  it('is refused with the log of a database that has other pages', async () => {
    const file = await stopped()
    const other = path.join(folder, 'other.db')
    const foreign = new DatabaseSync(other)
    foreign.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; CREATE TABLE t (a)')
    copyFileSync(`${other}-wal`, `${file}-wal`)
    foreign.close()
    await expect(open(file)).rejects.toThrow(/is that of another database/)
  })

  it.each<[string, (file: string) => void]>([
    [
      'pages',
      (file) => {
        const pages = statSync(file).size / 4096
        for (let page = 3; page < pages; page++) flip(file, page * 4096 + 3)
      },
    ],
    [
      'a file that is cut off',
      (file) => {
        truncateSync(file, 5 * 4096)
      },
    ],
    [
      'what is no database',
      (file) => {
        writeFileSync(file, 'x'.repeat(8192))
      },
    ],
  ])('is found by a quick look: %s', async (_, damage) => {
    const file = await stopped()
    checkSqlitePages(file, 'quick')
    damage(file)
    const before = contents(file)
    expect(() => {
      checkSqlitePages(file, 'quick')
    }).toThrow(DamagedDatabaseError)
    expect(contents(file)[0]).toBe(before[0])
  })

  it('is found when an older log is put beside it, before that is brought into it', async () => {
    const file = await stopped()
    const [old, earlier] = [path.join(folder, 'old-wal'), await open(file)]
    await earlier.transact((trx) => trx.deleteFrom('notes').where('id', '<', 200).execute())
    copyFileSync(`${file}-wal`, old)
    await earlier.close()
    const later = new DatabaseSync(file)
    later.exec('delete from notes where id < 400; VACUUM')
    later.close()
    copyFileSync(old, `${file}-wal`)
    const [before] = contents(file)
    expect(() => {
      checkSqlitePages(file, 'quick')
    }).toThrow(DamagedDatabaseError)
    expect(contents(file)[0]).toBe(before)
  })

  it('is not what a power cut leaves of a commit that was under way', async () => {
    const file = path.join(folder, 'cut.db')
    let kept = 0
    for (let round = 0; round < 12; round++) {
      const database = await open(file)
      expect(await countOf(database)).toBe(kept)
      for (let i = 0; i <= round % 3; i++) await write(database, `round ${round}, ${i}`)
      kept += 1 + (round % 3)
      const before = SUFFIXES.map((suffix) => readFileSync(file + suffix))
      const committed = readWriteAheadLog(`${file}-wal`)?.committed ?? 0
      // One unit of work of many frames: the last are on the disk, the others are not.
      await database.transact(async (trx) => {
        for (let i = 0; i < 40 - 3 * round; i++)
          await trx
            .insertInto('notes')
            .values({ id: notes++, text: 'y'.repeat(3000) })
            .execute()
      })
      const log = readFileSync(`${file}-wal`)
      await database.close()
      const lost = frameAt(committed + 1 + (round % 4))
      log.fill(0, lost, lost + FRAME_BYTES)
      writeFileSync(file, before[0] ?? '')
      writeFileSync(`${file}-wal`, log)
      writeFileSync(`${file}-shm`, before[2] ?? '')
    }
  })

  it('is not what is written by another process meanwhile', async () => {
    const file = path.join(folder, 'busy.db')
    const database = await open(file)
    // A connection that this package did not open, like another process's.
    const other = new DatabaseSync(file)
    other.exec('PRAGMA wal_autocheckpoint = 3')
    for (let i = 0; i < 30; i++) {
      other.exec(`insert into notes (id, text) values (${i}, '${'z'.repeat(5000)}')`)
      await inspectDatabase(optionsFor(file))
    }
    other.close()
    await database.close()
  })
})

function frameAt(frame: number): number {
  return LOG_HEADER_BYTES + (frame - 1) * FRAME_BYTES
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(file, bytes)
}
