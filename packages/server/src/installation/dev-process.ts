// The note of a running `cofre dev` in its data folder, by which commands find its console.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { isFileThere } from '@cofre/sql'
import { z } from 'zod'
import type { Config } from '../config/config.js'

type FolderConfig = Pick<Config, 'dataDir'>
type ConsoleConfig = FolderConfig & Pick<Config, 'endpoints' | 'signsDemoOwnerIn' | 'trial'>

const noteSchema = z.object({
  pid: z.int().positive(),
  /** Origin of the console's sign-in links for the demo store's owner; null without such links. */
  console: z.string().nullable(),
  /** In a trial: the page where its owner signs in with the store's credentials. */
  trialSignIn: z.string().optional(),
})
type DevProcess = z.output<typeof noteSchema>

function fileIn({ dataDir }: FolderConfig): string {
  return path.join(dataDir, 'dev.json')
}

/** Records this process as the folder's `cofre dev`. Returns a function that removes the note. */
export function noteDevProcess(config: ConsoleConfig): () => void {
  const file = fileIn(config)
  const { endpoints, signsDemoOwnerIn, trial } = config
  const { publicUrl } = endpoints.panel
  const note: DevProcess = {
    pid: process.pid,
    console: signsDemoOwnerIn ? publicUrl : null,
    ...(trial && { trialSignIn: `${publicUrl}/sign-in/sandbox` }),
  }
  writeFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  return () => {
    rmSync(file, { force: true })
  }
}

/** The `cofre dev` that runs on the folder; undefined without one. */
export function findDevProcess(config: FolderConfig): DevProcess | undefined {
  const file = fileIn(config)
  if (!isFileThere(file)) return undefined
  const note = readNote(file)
  return note !== undefined && isRunning(note.pid) ? note : undefined
}

/** Ignores an incomplete file, whose process is just starting. */
function readNote(file: string): DevProcess | undefined {
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
