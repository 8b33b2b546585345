// A folder that banks' return files are put into: by a bank's program, or by people.
import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Log, SECOND_MS } from '@cofre/contracts'
import { createJobBackoff, repeatJob } from '@cofre/jobs'
import type { ImportEnd, ImportedFile } from './return-import.js'

const JOB = 'return files'
/** A file that has not changed for so long was written whole. */
const PAUSE_MS = 10 * SECOND_MS
const ACTOR = 'worker'

/** Where files go once they were taken in, and where those that cannot be. */
const FOLDERS = { taken: 'imported', refused: 'refused' } as const

/** Programs that write under another name first. */
const UNFINISHED = /(?:^\.)|(?:\.(?:part|partial|tmp|crdownload|filepart)$)/i

export interface BoletoFolder {
  /** Takes in what has not changed since the last round. */
  readonly round: () => Promise<void>
}

export interface BoletoFolderDeps {
  readonly folder: string
  readonly importFile: (file: ImportedFile) => Promise<ImportEnd>
  readonly log: Log
}

/**
 * May be watched by any number of processes. A file is moved only when all of it was done, and
 * doing it again changes nothing: a process may end anywhere.
 */
export function createBoletoFolder({ folder, importFile, log }: BoletoFolderDeps): BoletoFolder {
  let before: ReadonlyMap<string, string> = new Map()

  async function settle(name: string): Promise<void> {
    const content = await readFile(path.join(folder, name))
    const end = await importFile({ name, content, actor: ACTOR })
    if (end.kind === 'refused') {
      log.warn({ file: name, why: end.why }, 'a return file is refused')
      const moved = await freeName(path.join(folder, FOLDERS.refused), name)
      await writeFile(`${moved}.txt`, `${end.why}\n`)
      await rename(path.join(folder, name), moved)
      return
    }
    if (end.kind === 'tried') return
    const { lines, unrecorded } = end.taken
    const facts = {
      file: name,
      account: end.account.id,
      lines: lines.length,
      new: lines.filter(({ isNew }) => isNew).length,
      nobodys: lines.filter(({ transactionCode }) => transactionCode === undefined).length,
    }
    // It stays, and is taken in again: the log has said why.
    if (unrecorded.length > 0) return
    await rename(path.join(folder, name), await freeName(path.join(folder, FOLDERS.taken), name))
    log.info(facts, 'a return file is taken in')
  }

  return {
    async round() {
      await mkdir(folder, { recursive: true })
      const now = await signsOfFiles(folder)
      const resting = [...now].filter(([name, sign]) => before.get(name) === sign)
      before = now
      for (const [name] of resting) {
        try {
          await settle(name)
        } catch (error) {
          // Another process has moved it.
          if (!isGone(error)) throw error
        }
      }
    },
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
      const { size, mtimeMs } = await stat(path.join(folder, name))
      signs.set(name, `${size} ${mtimeMs}`)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return signs
}

function isGone(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Banks use names again: what is there stays. */
async function freeName(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const taken = new Set(await readdir(folder))
  const { name: stem, ext } = path.parse(name)
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${stem}-${count}${ext}`
    if (!taken.has(free)) return path.join(folder, free)
  }
}

/** Watches the folder until it is stopped. */
export function watchBoletoFolder(deps: BoletoFolderDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { round } = createBoletoFolder(deps)
  const backoff = createJobBackoff({ job: JOB, environment: 'production' }, PAUSE_MS, deps.log)
  const loop = repeatJob(round, backoff, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
