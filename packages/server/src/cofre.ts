#!/usr/bin/env node
// Loads on any Node version: an older one would fail inside the imported files.
import { readFileSync } from 'node:fs'
import process from 'node:process'

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
const { engines } = JSON.parse(manifest) as { engines: { node: string } }
const wanted = engines.node.replace('>=', '')
const [major = 0, minor = 0] = wanted.split('.').map(Number)
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) {
  const { main } = await import('./main.js')
  await main(process)
} else {
  process.stderr.write(
    `cofre: this is Node.js ${process.versions.node}, and Cofre needs ${wanted} or newer: install one from https://nodejs.org\n`,
  )
  process.exitCode = 1
}
