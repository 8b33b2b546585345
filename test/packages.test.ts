import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ROOT,
  type Manifest,
  type Tarball,
  packAll,
  projectWith,
  builtPackages,
  readJson,
} from './packed-packages.js'

const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/** As strict as a careful shop's project, including all our declarations. */
const CONSUMER = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2024',
    lib: ['ES2024', 'DOM'],
    module: 'NodeNext',
    exactOptionalPropertyTypes: true,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules', '@types')],
    skipLibCheck: false,
    // TypeScript's own.
    skipDefaultLibCheck: true,
  },
}

/** Without types, any call would compile: this one must not. */
const MERCHANT_MISUSED = `
import { createMerchantClient } from '@cofre/merchant'
const cofre = createMerchantClient({ baseUrl: 'http://127.0.0.1:1', storeId: 's', secret: 'x' })
export const status: Promise<string> = cofre.findTransaction('1').then((found) => found.status)
// @ts-expect-error a secret is a string
createMerchantClient({ baseUrl: 'http://127.0.0.1:1', storeId: 's', secret: 1 })
`

const isTypesAlone = (target: unknown): boolean =>
  typeof target === 'object' && target !== null && !('default' in target)

/** Specifiers for `import`: the names in `exports` that are modules, not only types. */
function modulesOf({ name, exports = {} }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([entry, target]) => !entry.endsWith('.json') && !isTypesAlone(target))
    .map(([entry]) => path.posix.join(name, entry))
}

function run(args: readonly string[], cwd: string): string {
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })
}

/** Our packages that one needs, itself included. */
function ownNeedsOf(name: string, tarballs: ReadonlyMap<string, Tarball>): Set<string> {
  const needed = Object.keys(tarballs.get(name)?.manifest.dependencies ?? {})
  const ours = needed.filter((dependency) => tarballs.has(dependency))
  return new Set([name, ...ours.flatMap((each) => [...ownNeedsOf(each, tarballs)])])
}

function recordedLibrary(): { readonly version: string } {
  const file = new URL('../packages/client/integrity.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as { version: string }
}

describe('The packed packages', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cofre-packed-'))
  let tarballs: ReadonlyMap<string, Tarball>

  beforeAll(() => {
    tarballs = packAll(scratch)
  })
  afterAll(() => {
    rmSync(scratch, { recursive: true })
  })

  const packages = builtPackages().map(({ manifest }) => manifest)

  it('are all public', () => {
    const hidden = packages.filter((manifest) => manifest.private === true)
    expect(hidden.map(({ name }) => name)).toEqual([])
  })

  it.each(packages)('$name has a description and a licence, and ships both', (manifest) => {
    expect(manifest.license).toBe('Apache-2.0')
    // A released library never changes: its version may differ from the others, as recorded.
    const { version } = manifest.name === '@cofre/client' ? recordedLibrary() : (packages[0] ?? {})
    expect(manifest.version).toBe(version)
    expect(manifest.description).toMatch(/^\S.{20,}/)
    const files = tarballs.get(manifest.name)?.files ?? []
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    expect(files.filter((file) => /\.test\.|\.fixture\.|tsbuildinfo|^src\//.test(file))).toEqual([])
  })

  it('install into an empty project each, and import', () => {
    const importing = packages.filter(({ exports }) => exports !== undefined)
    const files = importing.map((manifest) => {
      const file = path.join(projectWith(scratch, manifest.name, tarballs), 'imports.mjs')
      const imports = modulesOf(manifest).map((name) => `import(${JSON.stringify(name)})`)
      writeFileSync(file, `export default await Promise.all([${imports.join(', ')}])`)
      return JSON.stringify(pathToFileURL(file).href)
    })
    // One process for all: each finds its imports in its own project, and nowhere else.
    const imports = files.map((file) => `import(${file}).then((all) => all.default.map(namesOf))`)
    const script = `const namesOf = (one) => Object.keys(one).length
      console.log(JSON.stringify(await Promise.all([${imports.join(', ')}])))`
    const counts = JSON.parse(run(['--input-type=module', '-e', script], scratch)) as number[][]
    expect(counts.map(({ length }) => length)).toEqual(
      importing.map((manifest) => modulesOf(manifest).length),
    )
    expect(counts.flat()).not.toContain(0)
  })

  // The sandbox depends on the contracts, the SQL package, the vault and the gateway.
  it('careful consumers of library, client and sandbox type-check, declarations and all', () => {
    const files = ['@cofre/client', '@cofre/merchant', '@cofre/sandbox'].map((name) => {
      const project = projectWith(scratch, name, tarballs)
      const installed = packages.filter((manifest) =>
        existsSync(path.join(project, 'node_modules', manifest.name)),
      )
      const lines = installed
        .flatMap(modulesOf)
        .map((module, at) => `import * as m${at} from '${module}'\nvoid m${at}`)
      const misuse = name === '@cofre/merchant' ? MERCHANT_MISUSED : ''
      const consumer = path.join(project, 'consumer.ts')
      writeFileSync(consumer, `${lines.join('\n')}\n${misuse}`)
      return consumer
    })
    // One run: most of its time is for TypeScript's and Node's own declarations.
    writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify({ ...CONSUMER, files }))
    expect(run([TSC, '-p', '.'], scratch)).toBe('')
  })

  it('the cofre command runs from its package', () => {
    const project = projectWith(scratch, '@cofre/server', tarballs)
    const folder = path.join(project, 'node_modules', '@cofre', 'server')
    const { bin } = readJson(path.join(folder, 'package.json')) as Manifest
    const cofre = path.join(folder, bin?.cofre ?? '')
    expect(run([cofre, '--help'], project)).toContain('Usage: cofre')
  })

  it('the vault pays as a library, in an empty folder, after the documented steps', () => {
    const steps = readFileSync(path.join(ROOT, 'docs', 'vault-library.md'), 'utf8')
    const packed = [...steps.matchAll(/--workspace (\S+)/g)].map(([, name]) => name)
    // npm would look for a missing package in the registry, which has none of our packages.
    expect(new Set(packed)).toEqual(ownNeedsOf('@cofre/vault', tarballs))

    const project = projectWith(scratch, '@cofre/vault', tarballs)
    const script = path.join(project, 'pay.mjs')
    copyFileSync(path.join(ROOT, 'docs', 'examples', 'vault-library', 'pay.mjs'), script)
    const output = run([script], project)
    expect(output).toContain('approved: visa ************1111\n')
    expect(output).toContain('by its code: approved\n')
  })

  it('the reference includes its files, and no package depends on their source package', () => {
    const files = tarballs.get('@cofre/sandbox')?.files ?? []
    const names = ['docs.css', 'docs.js', 'swagger-ui-bundle.js', 'swagger-ui.css']
    const licences = ['swagger-ui.LICENSE.txt', 'swagger-ui.NOTICE.txt']
    expect(files).toEqual(
      expect.arrayContaining([...names, ...licences].map((name) => `dist/assets/${name}`)),
    )
    const asked = packages.flatMap(({ dependencies = {} }) => Object.keys(dependencies))
    expect(asked).not.toContain('swagger-ui-dist')
  })

  it('the browser library comes with every release and the build', () => {
    const files = tarballs.get('@cofre/client')?.files ?? []
    const releases = path.join(ROOT, 'packages', 'client', 'releases')
    const versions = existsSync(releases) ? readdirSync(releases) : []
    const scripts = versions.map((version) => `releases/${version}/payment.cofre.min.js`)
    expect(files).toEqual(
      expect.arrayContaining(['integrity.json', 'dist/payment.cofre.min.js', ...scripts]),
    )
  })
})
