#!/usr/bin/env node
import process from 'node:process'
import { StoreSecretError } from '@cofre/gateway'
import { KeyRingError } from '@cofre/vault'
import { SandboxError } from './commands/sandbox-hand.js'
import { UsageError } from './commands/usage-error.js'
import { readConfig } from './config/config.js'
import { ConfigError } from './config/variable.js'
import { ListenError } from './http/listen.js'
import { runProgram } from './program.js'
import { SetupError } from './setup-error.js'

const FAILED = 1
const MISUSED = 2

/** Errors of ours whose message says what to mend. */
const EXPECTED: readonly (new (...args: never[]) => Error)[] = [
  ConfigError,
  ListenError,
  SetupError,
  KeyRingError,
  StoreSecretError,
  SandboxError,
]

/** A sentence for what the operator can mend; everything for what only we can. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `cofre: ${String(error)}`
  if (error instanceof UsageError) return `cofre: ${error.message} (see cofre --help)`
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  return `cofre: ${isExpected ? error.message : (error.stack ?? error.message)}`
}

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
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED
}
