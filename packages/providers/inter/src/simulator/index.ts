import { randomInt } from 'node:crypto'
import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export const INTER_SIMULATOR: ProviderSimulator = {
  title: 'the simulated Inter',
  showsCertificate: true,
  testAccount: {
    label: 'Simulated Inter',
    settings: () => ({
      profile: 'inter',
      accountNumber: String(randomInt(10_000_000, 100_000_000)),
      receiver: { name: 'Loja de teste', city: 'São Paulo' },
    }),
  },
  start: async (options) => await (await import('./simulate-inter.js')).simulateInter(options),
}
