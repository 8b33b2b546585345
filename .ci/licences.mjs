// `npm run licences` lists the licences of all production packages, from the lockfile (or the given
// one), and fails if one is not permissive.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ROOT } from './run-tool.mjs'

const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
])

/** One of the licences joined by OR must be permissive, and all of those joined by AND. */
function isPermissive(licence = '') {
  const bare = licence.replace(/^\((.*)\)$/, '$1')
  if (bare.includes('(')) return false
  return bare
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => PERMISSIVE.has(name)))
}

const lockfile = process.argv[2] ?? path.join(ROOT, 'package-lock.json')
const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'))
const production = Object.entries(packages)
  .filter(
    ([place, { dev, link }]) => place.includes('node_modules/') && dev !== true && link !== true,
  )
  .map(([place, { version, license }]) => ({
    name: place.replace(/^.*node_modules\//, ''),
    version,
    license,
  }))

for (const { name, version, license } of production)
  console.log(`${name.padEnd(42)}${version.padEnd(12)}${license ?? 'unknown'}`)

const others = production.filter(({ license }) => !isPermissive(license))
for (const { name, license } of others)
  console.error(
    `${name} is under ${license ?? 'an unknown licence'}, which is not among the permissive ones.`,
  )
process.exitCode = others.length === 0 ? 0 : 1
