// `npm run sdks [folder]` makes the installable and later published SDKs: packages for npm,
// Composer and pip, their checksums and their SBOM (CycloneDX). The same files make the same bytes.
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { tarGz, zip } from './archives.mjs'
import { ROOT } from './run-tool.mjs'

const PHP = path.join(ROOT, 'sdks', 'php')
const PYTHON = path.join(ROOT, 'sdks', 'python')
/** The packages for shops on Node: the SDK, and our package that it needs. */
const NODE = ['@cofre/contracts', '@cofre/merchant']
const LICENCE = 'Apache-2.0'

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const sha256 = (bytes, encoding) => createHash('sha256').update(bytes).digest(encoding)

export const SDK_VERSION = readJson(path.join(ROOT, 'packages', 'merchant', 'package.json')).version

/** Files of a folder by path, below a prefix. */
function filesOf(folder, wanted, prefix) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => wanted.test(name))
  return Object.fromEntries(
    names.map((name) => [`${prefix}${name}`, readFileSync(path.join(folder, name))]),
  )
}

const licence = () => readFileSync(path.join(ROOT, 'LICENSE'))

/** The archives of PHP and Python by name. */
export function sdkArchives() {
  const php = `cofre-merchant-php-${SDK_VERSION}`
  const python = `cofre_merchant-${SDK_VERSION}`
  const info = `${python}.dist-info`
  const metadata = pythonMetadata()
  const wheel = {
    ...filesOf(path.join(PYTHON, 'src'), /^cofre_merchant\/[\w.]+$/, ''),
    [`${info}/METADATA`]: metadata,
    [`${info}/WHEEL`]: Buffer.from(
      'Wheel-Version: 1.0\nGenerator: cofre\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
    [`${info}/licenses/LICENSE`]: licence(),
  }
  const record = Object.entries(wheel).map(
    ([name, bytes]) => `${name},sha256=${sha256(bytes, 'base64url')},${bytes.length}\n`,
  )
  wheel[`${info}/RECORD`] = Buffer.from(`${record.join('')}${info}/RECORD,,\n`)
  return {
    [`${php}.tar.gz`]: tarGz({
      ...filesOf(PHP, /^(composer\.json|README\.md|src\/.*\.php|examples\/.*)$/, `${php}/`),
      [`${php}/LICENSE`]: licence(),
    }),
    [`${python}.tar.gz`]: tarGz({
      ...filesOf(
        PYTHON,
        /^(pyproject\.toml|README\.md|examples\/[\w.]+|src\/cofre_merchant\/[\w.]+)$/,
        `${python}/`,
      ),
      [`${python}/LICENSE`]: licence(),
      [`${python}/PKG-INFO`]: metadata,
    }),
    [`${python}-py3-none-any.whl`]: zip(wheel),
  }
}

/** The metadata for pip, from pyproject.toml. */
function pythonMetadata() {
  const project = readFileSync(path.join(PYTHON, 'pyproject.toml'), 'utf8')
  const value = (name) => new RegExp(`^${name} = "(.+)"$`, 'm').exec(project)?.[1] ?? ''
  return Buffer.from(
    `Metadata-Version: 2.1
Name: ${value('name')}
Version: ${value('version')}
Summary: ${value('description')}
License: ${LICENCE}
Requires-Python: ${value('requires-python')}
Description-Content-Type: text/markdown

${readFileSync(path.join(PYTHON, 'README.md'), 'utf8')}`,
  )
}

/** The npm tarballs by name, as `npm pack` makes them. */
function npmArchives(folder) {
  const wanted = NODE.flatMap((name) => ['--workspace', name])
  const args = ['pack', '--json', '--pack-destination', folder, ...wanted]
  const npm = process.env.npm_execpath
  if (npm === undefined) throw new Error('npm run sdks')
  const output = execFileSync(process.execPath, [npm, ...args], { cwd: ROOT, encoding: 'utf8' })
  const packed = JSON.parse(output.slice(output.indexOf('[')))
  return Object.fromEntries(
    packed.map(({ filename }) => [filename, readFileSync(path.join(folder, filename))]),
  )
}

/** Lines for `sha256sum --check`. */
export function checksumsOf(archives) {
  return Object.entries(archives)
    .map(([name, bytes]) => `${sha256(bytes, 'hex')}  ${name}\n`)
    .toSorted()
    .join('')
}

/** The archives, and the third-party dependencies of the npm packages. */
export function billOfMaterials(archives) {
  const { packages } = readJson(path.join(ROOT, 'package-lock.json'))
  const needed = NODE.flatMap((name) =>
    Object.keys(packages[`packages/${name.split('/')[1]}`].dependencies ?? {}),
  ).filter((name) => !NODE.includes(name))
  const ours = Object.entries(archives).map(([name, bytes]) => ({
    type: 'library',
    'bom-ref': name,
    name,
    version: SDK_VERSION,
    purl: purlOf(name),
    licenses: [{ license: { id: LICENCE } }],
    hashes: [{ alg: 'SHA-256', content: sha256(bytes, 'hex') }],
  }))
  const others = needed.map((name) => {
    const { version, license, integrity } = packages[`node_modules/${name}`]
    const [algorithm, digest] = integrity.split('-')
    const content = Buffer.from(digest, 'base64').toString('hex')
    return {
      type: 'library',
      'bom-ref': `pkg:npm/${name}@${version}`,
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
      licenses: [{ license: { id: license } }],
      hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content }],
    }
  })
  const isNode = ({ 'bom-ref': ref }) => ref.endsWith('.tgz')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'cofre-sdks', version: SDK_VERSION } },
    components: [...ours, ...others],
    dependencies: ours.map((component) => ({
      ref: component['bom-ref'],
      dependsOn: isNode(component) ? others.map((other) => other['bom-ref']) : [],
    })),
  }
}

function purlOf(archive) {
  const npm = NODE.find((name) =>
    archive.startsWith(`${name.slice(1).replace('/', '-')}-${SDK_VERSION}.tgz`),
  )
  if (npm !== undefined) return `pkg:npm/${npm.replace('@', '%40')}@${SDK_VERSION}`
  const name = archive.includes('php') ? 'composer/cofre/merchant' : 'pypi/cofre-merchant'
  return `pkg:${name}@${SDK_VERSION}`
}

function main(folder) {
  mkdirSync(folder, { recursive: true })
  const made = sdkArchives()
  for (const [name, bytes] of Object.entries(made)) writeFileSync(path.join(folder, name), bytes)
  const archives = { ...npmArchives(folder), ...made }
  const bill = `cofre-sdks-${SDK_VERSION}.cdx.json`
  const written = Buffer.from(`${JSON.stringify(billOfMaterials(archives), undefined, 2)}\n`)
  writeFileSync(path.join(folder, bill), written)
  const sums = checksumsOf({ ...archives, [bill]: written })
  writeFileSync(path.join(folder, 'SHA256SUMS'), sums)
  process.stdout.write(sums)
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
)
  main(path.resolve(process.argv[2] ?? path.join(ROOT, 'dist', 'sdks')))
