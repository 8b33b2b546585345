// A folder for banks' return files, delivered by a bank's program or by people.
import { Buffer } from 'node:buffer'
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Log, SECOND_MS } from '@cofre/contracts'
import { type Working, reasonOf, startDueWork } from '@cofre/work'
import { isUnavailable } from '@cofre/sql'
import { type ImportEnd, type ImportedFile, readGiven } from './return-import.js'

const JOB = 'return files'
/** A file that has not changed for this long is complete. */
const PAUSE_MS = 10 * SECOND_MS
const ACTOR = 'worker'

/** Folders for imported files and for refused ones. */
const FOLDERS = { taken: 'imported', refused: 'refused' } as const

/** Temporary names of programs that rename files when complete. */
const UNFINISHED = /(?:^\.)|(?:\.(?:part|partial|tmp|crdownload|filepart)$)/i

export interface BoletoFolder {
  /** Imports files that have not changed since the last round. */
  readonly round: () => Promise<void>
}

export interface BoletoFolderDeps {
  readonly folder: string
  readonly importFile: (file: ImportedFile) => Promise<ImportEnd>
  readonly log: Log
}

/**
 * Any number of processes may watch the folder. A file is moved only after its complete import, and
 * a repeated import changes nothing, so a process may end at any point.
 */
export function createBoletoFolder({ folder, importFile, log }: BoletoFolderDeps): BoletoFolder {
  let before: ReadonlyMap<string, string> = new Map()

  async function settle(name: string, sign: string): Promise<void> {
    const file = path.join(folder, name)
    const end = await importFile({ name, content: await readGiven(file), actor: ACTOR })
    // The file was replaced meanwhile, and its new content was not imported.
    if ((await signOf(file)) !== sign) return
    if (end.kind === 'refused') {
      log.warn({ file: name, why: end.why }, 'return file refused and moved to the folder refused')
      const moved = await freeName(path.join(folder, FOLDERS.refused), name)
      await writeFile(`${moved}.txt`, `${end.why}\n`)
      await rename(file, moved)
      return
    }
    if (end.kind === 'tried') return
    const { lines, unrecorded } = end.taken
    const facts = {
      file: name,
      account: end.account.id,
      lines: lines.length,
      new: lines.filter(({ isNew }) => isNew).length,
      unmatched: lines.filter(({ transactionCode }) => transactionCode === undefined).length,
    }
    // The file stays and is imported again; the log already has the reason.
    if (unrecorded.length > 0) return
    await rename(file, await freeName(path.join(folder, FOLDERS.taken), name))
    log.info(facts, 'return file imported')
  }

  /** A file that fails does not keep others from being imported. */
  async function settleAll(resting: readonly (readonly [string, string])[]): Promise<void> {
    const failures: Error[] = []
    for (const [name, sign] of resting) {
      try {
        await settle(name, sign)
      } catch (error) {
        if (isUnavailable(error)) throw error
        // Another process has moved it.
        if (isGone(error)) continue
        const what = `the return file ${name} could not be imported: ${reasonOf(error)}`
        failures.push(new Error(what, { cause: error }))
      }
    }
    if (failures[0] !== undefined) throw failures[0]
  }

  return {
    async round() {
      await mkdir(folder, { recursive: true })
      await nameReadably(folder)
      const now = await signsOfFiles(folder)
      const resting = [...now].filter(([name, sign]) => before.get(name) === sign)
      before = now
      await settleAll(resting)
    },
  }
}

/**
 * Programs of other systems write names that are not UTF-8, and such a file can't be opened by its
 * decoded name.
 */
async function nameReadably(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    if (Buffer.from(name.toString()).equals(name)) continue
    const unreadable = Buffer.concat([Buffer.from(folder + path.sep), name])
    try {
      await rename(unreadable, await freeName(folder, name.toString('latin1')))
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
}

/** Size and time of each file. */
async function signsOfFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
  const signs = new Map<string, string>()
  for (const name of names) {
    try {
      signs.set(name, await signOf(path.join(folder, name)))
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return signs
}

async function signOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file)
  return `${size} ${mtimeMs}`
}

function isGone(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Banks reuse names: existing files and their explanations stay. */
async function freeName(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const taken = new Set(await readdir(folder))
  const { name: stem, ext } = path.parse(name)
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${stem}-${count}${ext}`
    if (!taken.has(free) && !taken.has(`${free}.txt`)) return path.join(folder, free)
  }
}

/** Watches the folder until stopped. */
export function watchBoletoFolder(deps: BoletoFolderDeps): Working {
  const { round } = createBoletoFolder(deps)
  const work = { name: JOB, everyMs: PAUSE_MS, run: round }
  return startDueWork([work], { environment: 'production', log: deps.log })
}
