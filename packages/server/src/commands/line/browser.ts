import { spawn } from 'node:child_process'
import process from 'node:process'

type Program = readonly [name: string, ...args: string[]]

const OPENERS: Partial<Record<NodeJS.Platform, Program>> = {
  darwin: ['open'],
  // `start` takes its first quoted argument as a title, so the title is empty.
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
}

/** Opens an address in the person's browser. False if no browser can be started. */
export function openBrowser(url: string): boolean {
  const opener = OPENERS[process.platform]
  if (opener === undefined) return false
  const [program, ...args] = opener
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  // If the program is missing, the person still has the printed address.
  child.once('error', () => undefined)
  child.unref()
  return true
}
