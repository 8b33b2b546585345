import { availableParallelism } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'

/** Kills, floods, fail-over and upgrades of releases: test/README.md lists them. */
const PACKAGES = 'packages/{*,providers/*}'
const LONG = '**/*.long.test.ts'
const isLong = process.env.COFRE_TESTS === 'long'

/** Rooms' pages find the reader's view in the console that renders them: it may exist once. */
const PANEL_SOURCES = path.join(import.meta.dirname, 'packages/panel/src')
const PANEL_ENTRIES = [
  { find: /^@cofre\/panel$/, replacement: path.join(PANEL_SOURCES, 'index.ts') },
  { find: /^@cofre\/panel\/(page|testing)$/, replacement: path.join(PANEL_SOURCES, '$1.ts') },
]

export default defineConfig({
  resolve: { alias: PANEL_ENTRIES },
  test: {
    include: isLong
      ? [PACKAGES + '/src/' + LONG, 'test/' + LONG]
      : [PACKAGES + '/src/**/*.test.{ts,tsx}', 'demo/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : [LONG])],
    globalSetup: [
      'packages/sql/test/global-setup.ts',
      'packages/provider-kit/test/global-setup.ts',
    ],
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
