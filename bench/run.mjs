// Runs every benchmark, one after the other, and puts the last results into the README. `npm run bench -- payments growth` runs those that are named.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { writeReadmeTable } from './lib/readme-table.mjs'

const folder = new URL('./', import.meta.url)
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.mjs'))
  .map((file) => file.replace('.bench.mjs', ''))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}: one or more of ${all.join(', ')}.\n`,
  )
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : all) {
  const { status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL(`${name}.bench.mjs`, folder))],
    {
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exitCode = 1
}
writeReadmeTable()
