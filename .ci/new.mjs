// `npm run new provider NAME`: makes an acquirer's folder from `packages/providers/template`, which
// the tests hold, and names it in the registry and in what builds it. docs/new-provider.md goes on.
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
import { ROOT } from './run-tool.mjs'

const PROVIDERS = path.join(ROOT, 'packages', 'providers')
const TEMPLATE = path.join(PROVIDERS, 'template')
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

const inRoot = (...parts) => path.join(ROOT, ...parts)
const readText = (file) => readFileSync(file, 'utf8')

function edit(file, change) {
  const text = readText(inRoot(file))
  const changed = change(text)
  if (changed === text) throw new Error(`${file} is not as this program expects it`)
  writeFileSync(inRoot(file), changed)
}

function editJson(file, change) {
  edit(file, (text) => {
    const value = JSON.parse(text)
    change(value)
    return `${JSON.stringify(value, null, 2)}\n`
  })
}

const words = (name) => name.split('-').map((word) => word[0].toUpperCase() + word.slice(1))

/** `myPay`, as functions begin with it; `MyPay`; `My Pay`, for people; `MY_PAY`. */
const spellings = (name) => ({
  pascal: words(name).join(''),
  company: words(name).join(' '),
  constant: name.replaceAll('-', '_').toUpperCase(),
})

function renamed(text, name) {
  const { pascal, company, constant } = spellings(name)
  const camel = pascal[0].toLowerCase() + pascal.slice(1)
  return (
    text
      .replaceAll('TEMPLATE', constant)
      // A part of a name of code; else a word.
      .replace(/(?<=[a-z])Template|Template(?=[A-Z])/g, pascal)
      .replaceAll('Template', company)
      .replace(/template(?=[A-Z])/g, camel)
      .replaceAll('template', name)
  )
}

function copyTemplate(folder, name) {
  const isSource = (file) => !/[/\\](?:dist|node_modules)$/.test(file)
  cpSync(TEMPLATE, folder, { recursive: true, filter: isSource })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    writeFileSync(file, renamed(readText(file), name))
    renameSync(file, path.join(entry.parentPath, renamed(entry.name, name)))
  }
}

function register(name) {
  const { constant } = spellings(name)
  const registry = path.join('packages', 'providers', 'index')
  edit(path.join(registry, 'src', 'index.ts'), (text) =>
    text.replace(
      /(export const PROVIDERS[^]*?)\n\]\n/,
      `$1
  {
    name: '${name}',
    card: async () => (await import('@cofre/${name}/card')).${constant},
    terms: async () => (await import('@cofre/${name}/terms')).${constant}_TERMS,
    simulator: async () => (await import('@cofre/${name}/simulator')).${constant}_SIMULATOR,
  },
]
`,
    ),
  )
  editJson(path.join(registry, 'package.json'), ({ dependencies, version }) => {
    dependencies[`@cofre/${name}`] = version
  })
  editJson(path.join(registry, 'tsconfig.json'), ({ references }) => {
    references.push({ path: `../${name}` })
  })
  const folder = `packages/providers/${name}`
  editJson('package.json', ({ workspaces }) => {
    workspaces.splice(workspaces.indexOf('packages/providers/index'), 0, folder)
  })
  editJson('tsconfig.build.json', ({ references }) => {
    references.unshift({ path: folder })
  })
}

function refusalOf(args) {
  const [kind, name = '', ...rest] = args
  if (kind !== 'provider' || name === '' || rest.length > 0)
    return 'usage: npm run new provider NAME'
  if (!NAME.test(name))
    return `${name} is no name: lower-case letters, digits and hyphens, as my-pay`
  if (existsSync(path.join(PROVIDERS, name))) return `packages/providers/${name} is there already`
  return undefined
}

const args = process.argv.slice(2)
const refusal = refusalOf(args)
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
const [, name] = args
const folder = path.join(PROVIDERS, name)
try {
  copyTemplate(folder, name)
  register(name)
} catch (error) {
  rmSync(folder, { recursive: true, force: true })
  throw error
}
console.log(`Made packages/providers/${name} and named it in packages/providers/index. Then:
  npm install                                # links it
  npx vitest run packages/providers/${name}  # the suite that every acquirer passes
  npm start                                  # plays it: Diners' cards of the demo shop in production go there
docs/new-provider.md goes on.`)
