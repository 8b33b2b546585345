import { spawn } from 'node:child_process'
import process from 'node:process'

type Program = readonly [name: string, ...args: string[]]

const OPENERS: Partial<Record<NodeJS.Platform, Program>> = {
  darwin: ['open'],
  // With an empty title: `start` would take the address for one.
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
}

/** Asks the person's browser to show an address. False where nothing could be asked. */
export function openBrowser(url: string): boolean {
  const opener = OPENERS[process.platform]
  if (opener === undefined) return false
  const [program, ...args] = opener
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  // Without the program there is still the printed address.
  child.once('error', () => undefined)
  child.unref()
  return true
}
