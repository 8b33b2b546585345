// `npm run new provider NAME`: copies `packages/providers/template`, which the tests check, to an
// acquirer's folder, and registers it in the registry and the build. docs/new-provider.md has the
// next steps.
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ROOT, runTool } from './run-tool.mjs'

const PROVIDERS = path.join(ROOT, 'packages', 'providers')
const TEMPLATE = path.join(PROVIDERS, 'template')
const REGISTRY = 'packages/providers/index'
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/**
 * Names that are invalid folders on some systems, or are taken: by git's rules, by the template's
 * code, by a simulator.
 */
const TAKEN = /^(?:dist|aux|con|nul|prn|com\d|lpt\d|acquirer|simulator|pix-bank)$/

const readText = (file) => readFileSync(path.join(ROOT, file), 'utf8')
const readJson = (file) => JSON.parse(readText(file))

const words = (name) => name.split('-').map((word) => word[0].toUpperCase() + word.slice(1))

/** `MyPay`, within identifiers; `My Pay`, for people; `MY_PAY`. */
const spellings = (name) => ({
  pascal: words(name).join(''),
  company: words(name).join(' '),
  constant: name.replaceAll('-', '_').toUpperCase(),
})

/** Matches `TEMPLATE`; `Template` within an identifier; `template` at its beginning; words. */
const SPELLED =
  /(TEMPLATE)|((?<=[a-z])Template|Template(?=[A-Z]))|(template(?=[A-Z]))|(Template)|template/g

function renamed(text, name) {
  const { pascal, company, constant } = spellings(name)
  const camel = pascal[0].toLowerCase() + pascal.slice(1)
  return text.replace(SPELLED, (found, upper, part, begins, word) => {
    if (upper) return constant
    if (part) return pascal
    if (begins) return camel
    return word ? company : name
  })
}

function copyTemplate(folder, name) {
  const isSource = (file) => !/[/\\](?:dist|node_modules)$/.test(file)
  cpSync(TEMPLATE, folder, { recursive: true, filter: isSource })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    writeFileSync(file, renamed(readFileSync(file, 'utf8'), name))
    renameSync(file, path.join(entry.parentPath, renamed(entry.name, name)))
  }
}

const json = (change) => (text) => {
  const value = JSON.parse(text)
  change(value)
  return JSON.stringify(value, null, 2)
}

/** The files that name a provider, with the change of each. */
const namings = (name) => ({
  [`${REGISTRY}/src/index.ts`]: (text) =>
    text.replace(/(export const PROVIDERS[^]*?)\n\]\n/, `$1\n${rowOf(name)}\n]\n`),
  [`${REGISTRY}/package.json`]: json(({ dependencies, version }) => {
    dependencies[`@cofre/${name}`] = version
  }),
  [`${REGISTRY}/tsconfig.json`]: json(({ references }) => {
    references.push({ path: `../${name}` })
  }),
  'package.json': json(({ workspaces }) => {
    workspaces.splice(workspaces.indexOf(REGISTRY), 0, `packages/providers/${name}`)
  }),
  'tsconfig.build.json': json(({ references }) => {
    references.unshift({ path: `packages/providers/${name}` })
  }),
})

const rowOf = (name) => {
  const { constant } = spellings(name)
  return `  {
    name: '${name}',
    card: async () => (await import('@cofre/${name}/card')).${constant},
    terms: async () => (await import('@cofre/${name}/terms')).${constant}_TERMS,
    simulator: async () => (await import('@cofre/${name}/simulator')).${constant}_SIMULATOR,
  },`
}

/** The files with their new text. @throws Error for a file with unexpected content */
function namedIn(name) {
  return Object.entries(namings(name)).map(([file, change]) => {
    const text = readText(file)
    let changed
    try {
      changed = change(text)
    } catch (error) {
      throw new Error(`${file} is not as this program expects it: ${error.message}`, {
        cause: error,
      })
    }
    if (changed === text) throw new Error(`${file} is not as this program expects it`)
    return [file, changed]
  })
}

function refusalOf(args) {
  const [kind, name = '', ...rest] = args
  if (kind !== 'provider' || name === '' || rest.length > 0)
    return 'usage: npm run new provider NAME'
  if (!NAME.test(name))
    return `${name} is no name: lower-case letters, digits and hyphens, as my-pay`
  if (TAKEN.test(name)) return `${name} cannot be a provider's name: files or code have it`
  if (existsSync(path.join(PROVIDERS, name))) return `packages/providers/${name} is there already`
  const { workspaces } = readJson('package.json')
  const owner = workspaces.find((one) => readJson(`${one}/package.json`).name === `@cofre/${name}`)
  if (owner !== undefined) return `${owner} has the name @cofre/${name} already`
  if (readText(`${REGISTRY}/src/index.ts`).includes(`name: '${name}',`))
    return `${REGISTRY}/src/index.ts names ${name} already`
  if (!existsSync(path.join(ROOT, 'node_modules', 'oxfmt'))) return 'first run npm ci'
  return undefined
}

function stop(message, code) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

const args = process.argv.slice(2)
const refusal = refusalOf(args)
if (refusal !== undefined) stop(refusal, 2)
const [, name] = args
const folder = path.join(PROVIDERS, name)
try {
  // Nothing is written until all changes are known.
  const files = namedIn(name)
  copyTemplate(folder, name)
  for (const [file, text] of files) writeFileSync(path.join(ROOT, file), text)
  runTool('oxfmt', 'oxfmt', [folder, ...files.map(([file]) => file)])
} catch (error) {
  rmSync(folder, { recursive: true, force: true })
  stop(error.message, 1)
}
console.log(`Made packages/providers/${name} and named it in packages/providers/index. Then:
  npm install                                # links it
  npm run build
  npx vitest run packages/providers/${name}  # the suite that every acquirer passes
  npm start                                  # simulates it: the demo shop in production sends Diners' cards there
docs/new-provider.md has the next steps.`)
