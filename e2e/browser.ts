import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const FOLDERS = [
  ...(process.env.PATH ?? '').split(path.delimiter),
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
  path.join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google', 'Chrome', 'Application'),
]

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installedBrowser(): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const names = [...NAMES, 'Google Chrome', 'Chromium'].map((name) => name + suffix)
  return FOLDERS.flatMap((folder) => names.map((name) => path.join(folder, name))).find(
    isExecutable,
  )
}

function downloadBrowser(): string | undefined {
  const cli = fileURLToPath(new URL('cli.js', import.meta.resolve('@playwright/test/package.json')))
  spawnSync(process.execPath, [cli, 'install', '--only-shell', 'chromium'], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  const file = chromium.executablePath()
  return isExecutable(file) ? file : undefined
}

function installBrowser(): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const command of [
    ['update', '-qq'],
    ['install', '-y', '-qq', 'chromium'],
  ]) {
    const { status } = spawnSync('apt-get', command, { stdio: 'ignore', timeout: 600_000 })
    if (status !== 0) return undefined
  }
  return installedBrowser()
}

/**
 * A Chromium to run the stories in: CHROME_PATH, Playwright's own, an installed one, Playwright's
 * download, and as root the system's package. @throws with what to do when there is none
 */
export function findBrowser(): string {
  const named = process.env.CHROME_PATH
  if (named !== undefined && named !== '') {
    if (!isExecutable(named)) throw new Error(`CHROME_PATH=${named} is not a program`)
    return named
  }
  const own = chromium.executablePath()
  const found =
    (isExecutable(own) ? own : undefined) ??
    installedBrowser() ??
    downloadBrowser() ??
    installBrowser()
  if (found === undefined) {
    throw new Error(
      'No Chromium or Chrome was found or could be installed: install one, or set CHROME_PATH.',
    )
  }
  // Workers read it from here and do not look again.
  process.env.CHROME_PATH = found
  execFileSync(found, ['--version'])
  return found
}
