// Runs every benchmark, one after the other; `npm run bench -- payments growth` runs the given
// ones. Each stores its results in bench/results/.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.mjs'))
const all = files.map((file) => file.replace('.bench.mjs', ''))
const [, , ...named] = process.argv
for (const name of named.length > 0 ? named : all) {
  if (!all.includes(name)) throw new Error(`no benchmark ${name}: one of ${all.join(', ')}`)
  const file = path.join(import.meta.dirname, `${name}.bench.mjs`)
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${name} failed`)
}
