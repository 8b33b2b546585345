import { startPostgres } from './postgres-server.js'

/**
 * Vitest's global set-up: one server for all test files. No test looks at what a crash of that
 * server leaves.
 */
export default function setup(): Promise<() => Promise<void>> {
  return startPostgres({ durable: false })
}
