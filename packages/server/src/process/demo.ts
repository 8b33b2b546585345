import { createDemoShop } from '@cofre/demo'
import { createMerchantClient } from '@cofre/merchant'
import { libraryAddress, readLibrary } from '../installation/library.js'
import { devStore } from '../installation/test-store.js'
import { type ProcessParts, listenAs } from './parts.js'

/**
 * Serves the demo shop, a merchant of the sandbox like any other in development: the test panel
 * plays its bank.
 * @throws ListenError
 */
export async function serveDemo(parts: ProcessParts): Promise<void> {
  const { config, log } = parts
  const { sandbox, vault, panel, demo } = config.endpoints
  const library = libraryAddress(readLibrary(config.vendor), vault.publicUrl)
  const storeId = devStore(config).id
  const shop = createDemoShop({
    merchant: createMerchantClient({
      baseUrl: sandbox.publicUrl,
      storeId,
      // Read for each request: the panel may have rotated it.
      secret: () => devStore(config).secret.reveal(),
      vendor: config.mediaVendor,
    }),
    storeId,
    libraryUrl: library.url,
    libraryIntegrity: library.integrity,
    libraryGlobal: config.vendor.charAt(0).toUpperCase() + config.vendor.slice(1),
    shopUrl: demo.publicUrl,
    payerUrl: sandbox.publicUrl,
    panelUrl: panel.publicUrl,
    wallets: config.wallets,
    log,
  })
  await listenAs(parts, 'demo', shop)
}
