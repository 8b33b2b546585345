import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import { createMerchantClient } from '@cofre/merchant'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import type { Trial } from '../config/trial.js'
import { freePorts } from '../http/free-port.fixture.js'
import { copyMigrated } from '../installation/migrated.fixture.js'
import { devStore } from '../installation/test-store.js'
import { pixPurchase } from '../process/purchase.fixture.js'
import { type RunningCofre, startCofre } from '../process/start.js'

const PORTS = await freePorts(
  ...(['API', 'SANDBOX', 'VAULT', 'PANEL', 'DEMO', 'DEMO_PRODUCTION', 'NOTICES'] as const),
  ...(['SIMULATOR', 'ADYEN', 'CIELO', 'INTER'] as const),
)
/** No name server resolves it. */
const TRIAL: Trial = {
  host: 'Trial.test',
  address: '127.0.0.1',
  password: new Secret('correct horse battery'),
  isDrawn: false,
  certificate: undefined,
}

describe('A trial under a name', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-trial-'))
  copyMigrated(folder)
  const config = readConfig({ COFRE_DATA_DIR: folder, ...PORTS }, 'dev', TRIAL)
  const { id: storeId, secret } = devStore(config)
  let running: RunningCofre
  beforeAll(async () => {
    const roles = ['vault', 'api', 'sandbox'] as const
    running = await startCofre(config, roles, pino({ enabled: false }))
  })
  afterAll(async () => {
    await running.close()
    rmSync(folder, { recursive: true })
  })

  it.each(['COFRE_SANDBOX_PORT', 'COFRE_API_PORT'] as const)(
    'takes payments at %s of a shop under that name, on whatever port',
    async (port) => {
      const merchant = createMerchantClient({
        baseUrl: `http://${TRIAL.address}:${PORTS[port]}`,
        storeId,
        secret: secret.reveal(),
        retryBudgetMs: 0,
      })
      const order = pixPurchase(`order-${port}`)
      const notificationUrl = `http://trial.test:${PORTS.COFRE_DEMO_PORT}/notifications`
      const transaction = { ...order.transaction, 'notification-url': notificationUrl }
      const answer = await merchant.createTransaction({ ...order, transaction })
      expect(answer.transaction.status).toBe('PENDING')
    },
  )
})
