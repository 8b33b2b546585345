import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export const PIX_API_SIMULATOR: ProviderSimulator = {
  title: 'the simulated bank',
  // The folder's name in earlier releases.
  folder: 'pix-bank',
  showsCertificate: true,
  testAccount: {
    label: 'Simulated bank',
    settings: (id) => ({
      profile: 'efi',
      // A random key, as banks generate them.
      pixKey: id,
      receiver: { name: 'Loja de teste', city: 'São Paulo' },
    }),
  },
  start: async (options) => await (await import('./simulate-pix-bank.js')).simulatePixBank(options),
}
