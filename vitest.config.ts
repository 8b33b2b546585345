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
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The default of one second is short where others use the cores too.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // To load the same modules anew for each file would take as long as the tests do.
    isolate: false,
  },
})
