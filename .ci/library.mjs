// `npm run verify`, `npm run library record`, `npm run library release`.
import process from 'node:process'
import { record, release, verify } from './library-integrity.mjs'

const commands = { verify, record, release }
const command = process.argv[2] ?? ''
if (Object.hasOwn(commands, command)) {
  process.exitCode = commands[command]()
} else {
  console.error(`usage: npm run library ${Object.keys(commands).join('|')}`)
  process.exitCode = 1
}
