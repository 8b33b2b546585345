// What the browser library must be, byte for byte: packages/client/integrity.json, written down with each change to it.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ROOT, runTool } from './run-tool.mjs'

const CLIENT = path.join(ROOT, 'packages', 'client')
const DIST = path.join(CLIENT, 'dist')
const MANIFEST = path.join(CLIENT, 'integrity.json')
/** Pages that print the exact script tag. */
const DOCS = [
  'docs/browser-library.md',
  'docs/pt-BR/browser-library.md',
  'docs/examples/plain.html',
]

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const scriptName = (vendor) => `payment.${vendor}.min.js`
const fileNames = (vendor) =>
  [scriptName(vendor), `payment.${vendor}.js`].flatMap((name) => [name, `${name}.map`])

/** Compiles and bundles from nothing. @returns the exit code */
function rebuild(vendor) {
  const env = { ...process.env, COFRE_VENDOR: vendor }
  return (
    runTool('typescript', 'tsc', ['-b', '--force', 'packages/client']) ||
    runTool('rollup', 'rollup', ['-c', '--silent'], { env })
  )
}

function integrityOf(bytes) {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}

function describeFolder(folder, vendor) {
  const files = fileNames(vendor).map((name) => {
    const bytes = readFileSync(path.join(folder, name))
    return [name, { integrity: integrityOf(bytes), bytes: bytes.length }]
  })
  return {
    version: readJson(path.join(CLIENT, 'package.json')).version,
    files: Object.fromEntries(files),
  }
}

function releaseFolder(version) {
  return path.join(CLIENT, 'releases', version)
}

const isReleased = (version, vendor) =>
  existsSync(path.join(releaseFolder(version), scriptName(vendor)))

/** Sentences on every file of one that is not as in the other. */
function differences(built, expected, source) {
  return Object.entries(built.files).flatMap(([name, { integrity }]) => {
    const wanted = expected.files[name]?.integrity ?? 'nothing'
    return wanted === integrity
      ? []
      : [`${name} rebuilds to ${integrity}, but ${source} has ${wanted}.`]
  })
}

function wrongDocs(recorded) {
  const { integrity } = recorded.files[scriptName('cofre')]
  return DOCS.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return !text.includes(integrity) || !text.includes(`/v/${recorded.version}/`)
  }).map((file) => `${file} does not print the tag of ${recorded.version}.`)
}

/** Rebuilds the library and holds it against what is recorded, released and documented. @returns the exit code */
export function verify() {
  if (rebuild('cofre') !== 0) return 1
  const built = describeFolder(DIST, 'cofre')
  const recorded = readJson(MANIFEST)
  const { version } = built
  const problems = [
    ...(recorded.version === version
      ? []
      : [`integrity.json is of ${recorded.version}, not ${version}.`]),
    ...differences(built, recorded, 'packages/client/integrity.json'),
    ...wrongDocs(recorded),
  ]
  const released = isReleased(version, 'cofre')
    ? differences(built, describeFolder(releaseFolder(version), 'cofre'), `the release ${version}`)
    : []
  if (released.length > 0) {
    problems.push(
      ...released,
      'What is released does not change: raise the version in packages/client/package.json.',
    )
  }
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    console.error(
      'If you changed the library, run: npm run library record. If you did not, these are not the sources or the tools\n' +
        'that made it: do not serve this build.',
    )
    return 1
  }
  const state = isReleased(version, 'cofre') ? 'released' : 'not released yet'
  const { integrity } = built.files[scriptName('cofre')]
  console.log(`The library ${version} (${state}) rebuilds byte for byte: ${integrity}`)
  return 0
}

/** Rebuilds the library and writes down what it is, in the manifest and in the docs. @returns the exit code */
export function record() {
  if (rebuild('cofre') !== 0) return 1
  const built = describeFolder(DIST, 'cofre')
  writeFileSync(MANIFEST, `${JSON.stringify(built, undefined, 2)}\n`)
  for (const file of DOCS) {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    const tag = /\/v\/[^/]+\/(payment\.cofre\.min\.js"\s+integrity=")sha384-[\w+/=]+/g
    const { integrity } = built.files[scriptName('cofre')]
    writeFileSync(path.join(ROOT, file), text.replace(tag, `/v/${built.version}/$1${integrity}`))
  }
  console.log(`Written down in packages/client/integrity.json and in ${DOCS.join(', ')}.`)
  return 0
}

/** Rebuilds the library and keeps it as a release that is served for good. @returns the exit code */
export function release() {
  const vendor = process.env.COFRE_VENDOR ?? 'cofre'
  if (rebuild(vendor) !== 0) return 1
  const built = describeFolder(DIST, vendor)
  const folder = releaseFolder(built.version)
  if (isReleased(built.version, vendor)) {
    const changed = differences(
      built,
      describeFolder(folder, vendor),
      `the release ${built.version}`,
    )
    if (changed.length === 0) return 0
    console.error([...changed, 'Raise the version in packages/client/package.json.'].join('\n'))
    return 1
  }
  mkdirSync(folder, { recursive: true })
  for (const name of fileNames(vendor)) cpSync(path.join(DIST, name), path.join(folder, name))
  console.log(
    `Commit packages/client/releases/${built.version}: the vault serves it at /v/${built.version}/ for good.`,
  )
  return 0
}
