// `npm run build`: JavaScript of every package, by esbuild, one file at a time, and the browser
// library, by rollup. Rebuilds only what has changed since the last build. `npm run types` checks
// types and writes declarations.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ROOT, runTool } from './run-tool.mjs'

/** Files that no process loads: tests and type declarations. */
const UNBUILT = /[.](test|conformance|fixture|d)[.]tsx?$/
const CLIENT = path.join('packages', 'client')

const inRoot = (...parts) => path.join(ROOT, ...parts)

function filesBelow(folder) {
  return readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
}

/** The packages' sources with their outputs. Rollup builds the browser library. */
function transpiledFiles() {
  const { workspaces } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  return workspaces
    .map((workspace) => path.join(workspace))
    .filter((workspace) => workspace !== CLIENT && existsSync(inRoot(workspace, 'src')))
    .flatMap((workspace) =>
      filesBelow(path.join(workspace, 'src'))
        .filter((file) => /[.](tsx?|json)$/.test(file) && !UNBUILT.test(file))
        .map((source) => {
          const inner = path.relative(path.join(workspace, 'src'), source)
          return {
            source,
            output: path.join(workspace, 'dist', inner.replace(/[.]tsx?$/, '.js')),
          }
        }),
    )
}

const changedAtMs = (file) => statSync(inRoot(file), { throwIfNoEntry: false })?.mtimeMs ?? 0

async function transpile() {
  // Another esbuild, or a change of this file, rebuilds everything.
  const settingsAtMs = Math.max(
    ...[path.join('.ci', 'build.mjs'), 'package-lock.json'].map(changedAtMs),
  )
  const stale = transpiledFiles().filter(({ source, output }) => {
    const madeAtMs = changedAtMs(output)
    return madeAtMs < changedAtMs(source) || madeAtMs < settingsAtMs
  })
  if (stale.length === 0) return undefined
  const isJson = ({ source }) => source.endsWith('.json')
  for (const { source, output } of stale.filter(isJson)) {
    mkdirSync(path.dirname(inRoot(output)), { recursive: true })
    copyFileSync(inRoot(source), inRoot(output))
  }
  const scripts = stale.filter((file) => !isJson(file))
  if (scripts.length > 0) {
    const { build } = await import('esbuild')
    await build({
      absWorkingDir: ROOT,
      entryPoints: scripts.map(({ source, output }) => ({
        in: source,
        out: output.replace(/[.]js$/, ''),
      })),
      outdir: '.',
      format: 'esm',
      sourcemap: true,
      logLevel: 'warning',
      tsconfigRaw: {
        compilerOptions: {
          target: 'ES2024',
          verbatimModuleSyntax: true,
          jsx: 'react-jsx',
          jsxImportSource: 'hono/jsx',
        },
      },
    })
  }
  return `transpiled ${stale.length} files`
}

/** A digest of all inputs of the browser library. */
function libraryInputs() {
  const hash = createHash('sha256')
  hash.update(process.env.COFRE_VENDOR ?? '')
  const inputs = [
    'rollup.config.mjs',
    'package-lock.json',
    'tsconfig.base.json',
    path.join(CLIENT, 'package.json'),
    path.join(CLIENT, 'tsconfig.json'),
    path.join('packages', 'sandbox', 'assets', 'docs.js'),
    path.join('packages', 'sandbox', 'assets', 'docs.css'),
    path.join('packages', 'pages', 'assets', 'base.css'),
    path.join('packages', 'panel', 'assets', 'icon.svg'),
    ...['src', 'assets'].flatMap((folder) => filesBelow(path.join(CLIENT, folder))),
    ...filesBelow(path.join('packages', 'contracts', 'src')),
  ].filter((file) => !UNBUILT.test(file))
  for (const file of inputs.toSorted())
    hash.update(`\n${file}\n`).update(readFileSync(inRoot(file)))
  return hash.digest('hex')
}

/** Bundles the browser library. @throws Error if rollup fails */
export function bundleLibrary(vendor) {
  const env = vendor === undefined ? process.env : { ...process.env, COFRE_VENDOR: vendor }
  if (runTool('rollup', 'rollup', ['-c', '--silent'], { env }) !== 0)
    throw new Error('rollup could not bundle the browser library')
}

function bundle() {
  const record = inRoot(CLIENT, 'dist', '.built-from')
  const inputs = libraryInputs()
  if (existsSync(record) && readFileSync(record, 'utf8') === inputs) return undefined
  bundleLibrary()
  writeFileSync(record, inputs)
  return 'bundled the browser library'
}

const EXPLANATIONS = path.join('packages', 'contracts', 'src', 'explanation', 'explanations.json')

/** The pages of docs/ that a text links to. */
const linkedFrom = (...file) =>
  [...readFileSync(inRoot(...file), 'utf8').matchAll(/\]\(([a-z-]+[.]md)/g)].map(([, name]) => name)

/**
 * Copies the pages that errors name, and the pages linked from these: the sandbox serves them at
 * `/docs`.
 */
function copyPages() {
  const names = new Set(linkedFrom(EXPLANATIONS))
  // Iterating a set includes the elements added meanwhile.
  for (const name of names) for (const other of linkedFrom('docs', name)) names.add(other)
  const files = [...names].flatMap((name) => [name, path.join('pt-BR', name)])
  const folder = path.join('packages', 'sandbox', 'dist', 'docs')
  const stale = files.filter(
    (file) => changedAtMs(path.join(folder, file)) < changedAtMs(path.join('docs', file)),
  )
  if (stale.length === 0) return undefined
  mkdirSync(inRoot(folder, 'pt-BR'), { recursive: true })
  for (const file of stale) copyFileSync(inRoot('docs', file), inRoot(folder, file))
  return `copied ${stale.length} pages`
}

/** Builds what has changed; prints a line for each step that did work. */
export async function build() {
  for (const step of [transpile, bundle, copyPages]) {
    const beganAtMs = performance.now()
    const done = await step()
    if (done !== undefined)
      console.log(`${done} in ${((performance.now() - beganAtMs) / 1000).toFixed(1)} s`)
  }
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) await build()
