import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/**
 * Vitest's global set-up: a folder that the test files of one process share, for certificates and
 * migrated databases. These processes are killed, so they can't remove it.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-tests-'))
  process.env.COFRE_TEST_FOLDER = folder
  return () => {
    rmSync(folder, { recursive: true, force: true })
  }
}
