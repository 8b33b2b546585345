import process from 'node:process'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.js'

/** Stories of processes alone, which open no browser. */
const PROCESS_STORIES = [
  /(backup-and-restore|gateway-memory|log-at-the-end|pan-canary|round-trips)[.]spec/,
  /sandbox[.]spec/,
]

/** Kills, floods, full disks and fail-over, for `npm run test:long`. They open no browser. */
const LONG_STORIES = '*.long.spec.ts'
const isLong = process.env.COFRE_TESTS === 'long'

const WAIT_MS = 60_000

const SHORT_PROJECTS = [
  { name: 'processes', testMatch: PROCESS_STORIES, testIgnore: LONG_STORIES, workers: 1 },
  {
    name: 'browser',
    testIgnore: [...PROCESS_STORIES, LONG_STORIES],
    workers: 2,
    use: {
      // A new one for each story takes as much of a processor as two pages.
      reuseContext: true,
      launchOptions: {
        executablePath: isLong ? '' : findBrowser(),
        // Chromium cannot sandbox itself as root.
        chromiumSandbox: process.getuid?.() !== 0,
        args: [
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          '--disable-quic',
          // Without a screen each frame is drawn by the processor, in any case.
          '--disable-gpu',
          '--in-process-gpu',
        ],
      },
    },
  },
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Two cores carry no more browsers than two, with one that tells of processes beside them, or two
  // that tell of kills.
  workers: isLong ? 2 : 3,
  fullyParallel: false,
  // These end what hangs. No story is about how fast a machine is that others use too.
  timeout: 600_000,
  expect: { timeout: WAIT_MS, toPass: { timeout: WAIT_MS } },
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.REPORT_FILE ?? 'test-results/report.json' }],
  ],
  outputDir: '../test-results',
  projects: isLong ? [{ name: 'long', testMatch: LONG_STORIES }] : SHORT_PROJECTS,
  use: {
    locale: 'pt-BR',
    trace: 'off',
    actionTimeout: WAIT_MS,
  },
})
