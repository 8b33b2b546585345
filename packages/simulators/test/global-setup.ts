import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/**
 * Vitest's global set-up: a folder for what the simulators of one process of tests keep, whichever
 * files it runs. Their processes are killed, and cannot clear up.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-simulators-'))
  process.env.COFRE_TEST_SIMULATORS = folder
  return () => {
    rmSync(folder, { recursive: true, force: true })
  }
}
