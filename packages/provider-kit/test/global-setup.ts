import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/**
 * Vitest's global set-up: a folder for what the files that one process of tests runs share, as
 * certificates and migrated databases. These processes are killed, and cannot clear up.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-tests-'))
  process.env.COFRE_TEST_FOLDER = folder
  return () => {
    rmSync(folder, { recursive: true, force: true })
  }
}
