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

export default defineConfig<StoryOptions>({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Two cores carry no more browsers than two. One that tells of processes is beside them.
  workers: 3,
  fullyParallel: false,
  timeout: 30_000,
  // The default of five seconds is short where others use the cores too.
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.REPORT_FILE ?? 'test-results/report.json' }],
  ],
  outputDir: '../test-results',
  projects: [
    { name: 'processes', testMatch: PROCESS_STORIES, workers: 1, timeout: 120_000 },
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
    actionTimeout: 10_000,
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
