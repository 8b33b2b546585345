import type { ProviderSimulator } from '@cofre/provider-kit/simulator'

export const TEMPLATE_SIMULATOR: ProviderSimulator = {
  title: 'the simulated Template',
  showsCertificate: false,
  testAccount: {
    label: 'Simulated Template',
    // Cards of Diners at the test store use this account.
    brand: 'diners',
    settings: (id) => ({ storeCode: id }),
  },
  start: async (options) => await (await import('./start-template.js')).startTemplate(options),
}
