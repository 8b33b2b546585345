import path from 'node:path'
import { createDemoShop } from '@cofre/demo'
import { createMerchantClient } from '@cofre/merchant'
import { devStore } from './dev-store.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/**
 * Serves the demo shop, a merchant of the sandbox like any other in development: the test panel plays its bank.
 * @throws ListenError
 */
export async function serveDemo(parts: ProcessParts): Promise<void> {
  const { config, log } = parts
  const { id, secret } = devStore(config)
  const { sandbox, vault, panel, demo } = config.endpoints
  const shop = createDemoShop({
    merchant: createMerchantClient({
      baseUrl: sandbox.publicUrl,
      storeId: id,
      secret: secret.reveal(),
      vendor: config.mediaVendor,
    }),
    libraryUrl: `${vault.publicUrl}/payment.${config.vendor}.min.js`,
    libraryGlobal: globalName(config.vendor),
    shopUrl: demo.publicUrl,
    payerUrl: sandbox.publicUrl,
    panelUrl: panel.publicUrl,
    wallets: config.wallets,
    log,
    stateFile: path.join(config.dataDir, 'demo-shop.json'),
  })
  await listenAs(parts, 'demo', shop.fetch)
}

function globalName(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1)
}
