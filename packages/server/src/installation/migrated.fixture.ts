// Migrated databases for tests. Copying their files is many times faster than migrating.
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { readConfig } from '../config/config.js'
import { DATABASES } from './databases.js'

type Name = keyof typeof DATABASES

// Shared by all test files of this process, and removed at the end of the run.
const folder = path.join(process.env.COFRE_TEST_FOLDER ?? '', `installation-${process.pid}`)
const config = readConfig({ COFRE_DATA_DIR: folder }, 'dev')
mkdirSync(folder, { recursive: true, mode: 0o700 })
for (const database of Object.values(DATABASES)) await (await database.open(config)).close()

/** Copies empty databases, like those of `cofre migrate`, into a folder; default: all. */
export function copyMigrated(
  dataDir: string,
  names: readonly Name[] = Object.keys(DATABASES) as Name[],
): void {
  for (const name of names) {
    const file = DATABASES[name].fileIn(config) ?? ''
    copyFileSync(file, path.join(dataDir, path.basename(file)))
  }
}
