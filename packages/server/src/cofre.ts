#!/usr/bin/env node
import process from 'node:process'
import { UsageError } from './commands/usage-error.js'
import { readConfig } from './config/config.js'
import { failureSentence, outputFailureSentence } from './failure-sentence.js'
import { runProgram } from './program.js'

const FAILED = 1
const MISUSED = 2

// Else Node would throw where nothing catches, with a stack trace: `cofre store list | head -1`.
process.stdout.on('error', (error: Error) => {
  process.stderr.write(`${outputFailureSentence(error)}\n`)
  process.exit(FAILED)
})
// Databases, keys and logs are for this user alone.
process.umask(0o077)
try {
  await runProgram(process.argv.slice(2), {
    clock: { now: () => Date.now() },
    config: (mode) => readConfig(process.env, mode),
    print: (text) => process.stdout.write(text),
    warn: (text) => process.stderr.write(text),
    fail: () => (process.exitCode = FAILED),
  })
} catch (error) {
  process.stderr.write(`${failureSentence(error)}\n`)
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED
}
