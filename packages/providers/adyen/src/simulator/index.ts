import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export const ADYEN_SIMULATOR: ProviderSimulator = {
  title: 'the simulated Adyen',
  showsCertificate: false,
  testAccount: {
    label: 'Simulated Adyen',
    settings: (id) => ({
      merchantAccount: `LojaDeTeste-${id}`,
      returnUrl: 'https://shop.example/',
    }),
  },
  start: async (options) => await (await import('./simulate-adyen.js')).simulateAdyen(options),
}
