import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'demo/src/**/*.test.{ts,tsx}',
      'test/**/*.test.ts',
    ],
    globalSetup: ['packages/sql/test/global-setup.ts', 'packages/simulators/test/global-setup.ts'],
    // Much of the run is waiting, for timers and for PostgreSQL: one more than there are cores
    // keeps them busy.
    maxWorkers: availableParallelism() + 1,
    // They end what hangs: a full machine may take ten times as long as an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // To load the same modules anew for each file would take as long as the tests do.
    isolate: false,
  },
})
