import process from 'node:process'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.js'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Each story starts its own Cofre on its own ports; two cores do not carry more at once.
  workers: 2,
  fullyParallel: false,
  timeout: 30_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.REPORT_FILE ?? 'test-results/report.json' }],
  ],
  outputDir: '../test-results',
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
