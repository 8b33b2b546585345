import process from 'node:process'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.js'

/** Process stories, which open no browser. */
const PROCESS_STORIES = [
  /(backup-and-restore|gateway-memory|log-at-the-end|pan-canary|prepared-once|round-trips|stores-api)[.]spec/,
  /sandbox[.]spec/,
]

/** Kills, floods, full disks and failover, for `npm run test:long`. They open no browser. */
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
      // A new context for each story costs as much CPU as two pages.
      reuseContext: true,
      launchOptions: {
        executablePath: isLong ? '' : findBrowser(),
        // Chromium can't sandbox itself as root.
        chromiumSandbox: process.getuid?.() !== 0,
        args: [
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          '--disable-quic',
          // Without a screen, the CPU draws each frame anyway.
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
  // Two cores can run at most two browsers and one process story, or two long stories.
  workers: isLong ? 2 : 3,
  fullyParallel: false,
  // Limits for stories that hang. No story measures the speed of a shared machine.
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
