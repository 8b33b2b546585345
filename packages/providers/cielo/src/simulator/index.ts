import { INSTALLMENTS_BY_CONTRACT_MAX } from '@cofre/contracts'
import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export const CIELO_SIMULATOR: ProviderSimulator = {
  title: 'the simulated Cielo',
  showsCertificate: false,
  testAccount: {
    label: 'Simulated Cielo',
    brand: 'elo',
    // The contract allows the maximum of a store: `cofre store set --installments 18`.
    settings: (id) => ({
      merchantId: id,
      installmentsMax: String(INSTALLMENTS_BY_CONTRACT_MAX),
    }),
  },
  start: async (options) => await (await import('./simulate-cielo.js')).simulateCielo(options),
}
