import { type DemoShopDeps, createDemoShop } from '@cofre/demo'
import { createMerchantClient } from '@cofre/merchant'
import { globalName, libraryAddress, readCardFields, readLibrary } from '../installation/library.js'
import { devStore } from '../installation/test-store.js'
import { type ProcessParts, listenAs } from './parts.js'

/**
 * Serves the demo shop, which is a merchant like any other in development, once for each
 * environment. In the sandbox, the console simulates the bank. In production, pages of simulated
 * providers simulate the payers.
 * @throws ListenError
 */
export async function serveDemo(parts: ProcessParts): Promise<void> {
  const { config, log } = parts
  const { api, sandbox, vault, panel, demo, inter, adyen, cielo } = config.endpoints
  const library = libraryAddress(readLibrary(config.vendor), vault.publicUrl)
  const fields = libraryAddress(readCardFields(config.vendor), vault.publicUrl)
  const storeId = devStore(config).id
  const shopAt = (
    apiUrl: string,
    place: Pick<DemoShopDeps, 'environment' | 'shopUrl' | 'panelUrl' | 'banks' | 'acquirers'>,
  ) =>
    createDemoShop({
      ...place,
      merchant: createMerchantClient({
        baseUrl: apiUrl,
        storeId,
        // Read for each request: the panel may have rotated it.
        secret: () => devStore(config).secret.reveal(),
        vendor: config.mediaVendor,
        // Its pages show how a shop handles a missing response.
        retryBudgetMs: 0,
      }),
      storeId,
      library,
      fields,
      libraryGlobal: globalName(config.vendor),
      payerUrl: apiUrl,
      wallets: config.wallets,
      log,
    })
  const inSandbox = shopAt(sandbox.publicUrl, {
    environment: 'sandbox',
    shopUrl: demo.publicUrl,
    panelUrl: panel.publicUrl,
  })
  await listenAs(parts, 'demo', inSandbox)
  const inProduction = shopAt(api.publicUrl, {
    environment: 'production',
    shopUrl: config.endpoints['demo-production'].publicUrl,
    banks: {
      pix: `${config.endpoints['pix-api'].publicUrl}/charges`,
      boleto: `${inter.publicUrl}/boletos`,
    },
    acquirers: [
      { name: 'Adyen', url: adyen.publicUrl },
      { name: 'Cielo', url: cielo.publicUrl },
    ],
  })
  await listenAs(parts, 'demo-production', inProduction)
}
