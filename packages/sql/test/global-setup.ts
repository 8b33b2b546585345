import { type AddressInfo, createServer } from 'node:net'
import process from 'node:process'
import { TEST_POSTGRES_STARTER } from '../src/testing-postgres.js'
import { startPostgres } from './postgres-server.js'

/**
 * Vitest's global set-up: one server for all test files, which starts when the first of them asks
 * for its URL. Most runs of a few files need none. No test checks what a crash of that server
 * leaves.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let started: ReturnType<typeof startPostgres> | undefined
  const starter = createServer((socket) => {
    started ??= startPostgres({ durable: false })
    started.then(
      () => socket.end(process.env.COFRE_TEST_POSTGRES_URL ?? ''),
      (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  process.env[TEST_POSTGRES_STARTER] = String((starter.address() as AddressInfo).port)
  return async () => {
    starter.close()
    await (
      await started
    )?.()
  }
}
