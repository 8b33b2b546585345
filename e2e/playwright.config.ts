import process from 'node:process'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.js'
import type { StoryOptions } from './story.js'

/**
 * The stories that go through the vault run twice: with the vault in the gateway's process,
 * and on its own.
 */
const CARD_STORIES = /((buy-with-a|declined|invalid|saved)-card|buy-with-card-fields)[.]spec[.]ts$/

/** Stories of processes alone. Much of their time they wait: for a lease, a pause, a probe. */
const PROCESS_STORIES = [
  /(crash|database-outage|full-disk|worker-processes|round-trips|rotate-keys|pan-canary)[.]spec/,
  /(backup-and-restore|connections|gateway-memory|log-at-the-end|payment-link-crowd)[.]spec/,
  /(sandbox-(apart|commands|controls)|test-clock|vault-killed)[.]spec/,
]

const WAIT_MS = 60_000

export default defineConfig<StoryOptions>({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Two cores carry no more browsers than two. One that tells of processes is beside them.
  workers: 3,
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
  projects: [
    { name: 'processes', testMatch: PROCESS_STORIES, workers: 1 },
    {
      name: 'one process',
      testIgnore: PROCESS_STORIES,
      workers: 2,
      use: { shape: 'one process' },
    },
    {
      name: 'stand-alone vault',
      testMatch: CARD_STORIES,
      grepInvert: /@one-shape/,
      workers: 2,
      use: { shape: 'stand-alone vault' },
    },
  ],
  use: {
    locale: 'pt-BR',
    trace: 'off',
    actionTimeout: WAIT_MS,
    launchOptions: {
      executablePath: findBrowser(),
      // Chromium cannot sandbox itself as root.
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
      ],
    },
  },
})
