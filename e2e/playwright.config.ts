import process from 'node:process'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.js'
import type { StoryOptions } from './story.js'

/**
 * The stories that go through the vault run twice: with the vault in the gateway's process,
 * and on its own.
 */
const CARD_STORIES = /((buy-with-a|declined|invalid|saved)-card|buy-with-card-fields)[.]spec[.]ts$/

export default defineConfig<StoryOptions>({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Each story starts its own Cofre on its own ports; two cores do not carry more at once.
  workers: 2,
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
    { name: 'one process', use: { shape: 'one process' } },
    {
      name: 'stand-alone vault',
      testMatch: CARD_STORIES,
      grepInvert: /@one-shape/,
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
