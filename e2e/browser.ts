import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { chromium } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
/** Chromium without windows, which takes a third less of the CPU outside its pages. */
const SHELL = 'chromium-headless-shell'
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

/** The first of the programs that is installed. */
function installed(names: readonly string[]): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return FOLDERS.flatMap((folder) => names.map((name) => path.join(folder, name + suffix))).find(
    isExecutable,
  )
}

/** A Chromium that can keep pages while others are shown, which one without windows cannot. */
export const findWindowedBrowser = (): string | undefined =>
  installed([...NAMES, 'Google Chrome', 'Chromium'])

/**
 * A Chromium for the stories: CHROME_PATH, Playwright's own, or an installed one.
 * @throws with the fix if there is none
 */
export function findBrowser(): string {
  const named = process.env.CHROME_PATH
  if (named !== undefined && named !== '') {
    if (!isExecutable(named)) throw new Error(`CHROME_PATH=${named} is not a program`)
    return named
  }
  const own = chromium.executablePath()
  const found = isExecutable(own) ? own : (installed([SHELL]) ?? findWindowedBrowser())
  if (found === undefined) {
    throw new Error(
      'The browser stories need Chromium or Chrome: install it (on Debian and Ubuntu: ' +
        '`apt-get install chromium`), or set CHROME_PATH to where it is.',
    )
  }
  // Workers read it from here, without another search.
  process.env.CHROME_PATH = found
  execFileSync(found, ['--version'], { stdio: 'ignore' })
  return found
}
