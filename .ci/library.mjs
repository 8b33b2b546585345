// Checks the browser library and the card fields byte for byte against
// packages/client/integrity.json, which each change to them records. Run as `npm run verify`, `npm
// run library record` and `npm run library release`.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundleLibrary } from './build.mjs'
import { ROOT } from './run-tool.mjs'

const CLIENT = path.join(ROOT, 'packages', 'client')
const MANIFEST = path.join(CLIENT, 'integrity.json')
/** Pages with an exact script tag, and its script. */
const DOCS = [
  ['docs/browser-library.md', 'payment'],
  ['docs/pt-BR/browser-library.md', 'payment'],
  ['docs/examples/plain.html', 'payment'],
  ['docs/card-fields.md', 'fields'],
  ['docs/pt-BR/card-fields.md', 'fields'],
].map(([file, script]) => [path.join(ROOT, file), script])

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const scriptName = (vendor, script = 'payment') => `${script}.${vendor}.min.js`
const releaseFolder = (version) => path.join(CLIENT, 'releases', version)
const isReleased = (version, vendor) =>
  existsSync(path.join(releaseFolder(version), scriptName(vendor)))

/** Rebuilds from scratch, and returns the description of the output. */
function rebuild(vendor = 'cofre') {
  bundleLibrary(vendor)
  return describeFolder(path.join(CLIENT, 'dist'), vendor)
}

/** The version, and the integrity and size of each existing file. */
function describeFolder(folder, vendor) {
  const scripts = ['payment', 'fields'].flatMap((script) => [
    scriptName(vendor, script),
    `${script}.${vendor}.js`,
  ])
  const names = [...scripts, 'fields-frame.min.js'].flatMap((name) => [name, `${name}.map`])
  const files = [...names, 'fields-frame.css']
    // Releases before 0.3.0 have no card fields.
    .filter((name) => existsSync(path.join(folder, name)))
    .map((name) => {
      const bytes = readFileSync(path.join(folder, name))
      const digest = createHash('sha384').update(bytes).digest('base64')
      return [name, { integrity: `sha384-${digest}`, bytes: bytes.length }]
    })
  return {
    version: readJson(path.join(CLIENT, 'package.json')).version,
    files: Object.fromEntries(files),
  }
}

/** A sentence about every built file that differs. */
function differences(built, expected, source) {
  return Object.entries(built.files)
    .map(([name, { integrity }]) => [name, integrity, expected.files[name]?.integrity])
    .filter(([, integrity, wanted]) => integrity !== wanted)
    .map(
      ([name, integrity, wanted = 'nothing']) =>
        `${name} rebuilds to ${integrity}, but ${source} has ${wanted}.`,
    )
}

function releaseDifferences(built, vendor) {
  const { version } = built
  if (!isReleased(version, vendor)) return []
  const released = describeFolder(releaseFolder(version), vendor)
  const isKept = ([name]) => name in released.files
  const kept = Object.fromEntries(Object.entries(built.files).filter(isKept))
  const found = differences({ files: kept }, released, `the release ${version}`)
  const advice = 'A release does not change: raise the version in packages/client/package.json.'
  return found.length === 0 ? [] : [...found, advice]
}

/** A sentence if a release would get additional files. */
function additions({ version, files }, vendor) {
  if (!isReleased(version, vendor)) return []
  const released = describeFolder(releaseFolder(version), vendor)
  const added = Object.keys(files).filter((name) => !(name in released.files))
  if (added.length === 0) return []
  return [`The release ${version} has no ${added.join(', ')}: raise the version.`]
}

/**
 * Rebuilds the library and compares it with the recorded, released and documented values. Returns
 * the exit code.
 */
export function verify() {
  const built = rebuild()
  const recorded = readJson(MANIFEST)
  const { version } = built
  const { integrity } = built.files[scriptName('cofre')]
  const isPrinted = ([file, script]) => {
    const text = readFileSync(file, 'utf8')
    const name = scriptName('cofre', script)
    return text.includes(built.files[name].integrity) && text.includes(`/v/${version}/${name}`)
  }
  const problems = [
    ...(recorded.version === version
      ? []
      : [`integrity.json is of ${recorded.version}, not ${version}.`]),
    ...differences(built, recorded, 'packages/client/integrity.json'),
    ...DOCS.filter((page) => !isPrinted(page)).map(([file]) => `${file} prints another tag.`),
    ...releaseDifferences(built, 'cofre'),
  ]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    console.error('Did you change the library? Then run: npm run library record.')
    console.error('If not, other sources or tools made this build: do not serve it.')
    return 1
  }
  const state = isReleased(version, 'cofre') ? 'released' : 'not released yet'
  console.log(`The library ${version} (${state}) rebuilds byte for byte: ${integrity}`)
  const fields = scriptName('cofre', 'fields')
  const isDraft = !existsSync(path.join(releaseFolder(version), fields))
  console.log(
    `So do the card fields${isDraft ? ' (a draft)' : ''}: ${built.files[fields].integrity}`,
  )
  return 0
}

/** Rebuilds the library and records it in the manifest and in the docs. Returns the exit code. */
function record() {
  const built = rebuild()
  writeFileSync(MANIFEST, `${JSON.stringify(built, undefined, 2)}\n`)
  const tag = /\/v\/[^/]+\/((payment|fields)\.cofre\.min\.js)("\s+integrity=")sha384-[\w+/=]+/g
  const printed = (_, name, _script, between) =>
    `/v/${built.version}/${name}${between}${built.files[name].integrity}`
  for (const [file] of DOCS) writeFileSync(file, readFileSync(file, 'utf8').replace(tag, printed))
  console.log('Recorded in packages/client/integrity.json and in the docs that print the tag.')
  return 0
}

/** Rebuilds the library and stores it as a permanently served release. Returns the exit code. */
function release() {
  const vendor = process.env.COFRE_VENDOR
  const built = rebuild(vendor)
  const problems = [
    ...releaseDifferences(built, vendor ?? 'cofre'),
    ...additions(built, vendor ?? 'cofre'),
  ]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    return 1
  }
  const folder = releaseFolder(built.version)
  mkdirSync(folder, { recursive: true })
  for (const name of Object.keys(built.files))
    cpSync(path.join(CLIENT, 'dist', name), path.join(folder, name))
  console.log(
    `Commit packages/client/releases/${built.version}: the vault serves it at /v/${built.version}/ for good.`,
  )
  return 0
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const commands = new Map(Object.entries({ verify, record, release }))
  const command = commands.get(process.argv[2])
  if (command === undefined) console.error('usage: npm run library record|release')
  process.exitCode = command?.() ?? 1
}
