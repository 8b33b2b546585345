import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export const PIX_API_SIMULATOR: ProviderSimulator = {
  title: 'the simulated bank',
  // As releases before this had it.
  folder: 'pix-bank',
  showsCertificate: true,
  testAccount: {
    label: 'Simulated bank',
    settings: (id) => ({
      profile: 'efi',
      // A random key, as banks draw them.
      pixKey: id,
      receiver: { name: 'Loja de teste', city: 'São Paulo' },
    }),
  },
  start: async (options) => await (await import('./play-pix-bank.js')).playPixBank(options),
}
