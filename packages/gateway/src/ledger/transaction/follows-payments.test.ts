import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import type { GatewayTables } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { paymentChanged } from './payment-changed.js'

it('a payment is not changed in a database that was opened without its followers', async () => {
  const database = await TEST_SQLITE.open<GatewayTables>(GATEWAY_MIGRATIONS)
  onTestFinished(() => database.close())
  const changing = database.transact((trx) => paymentChanged(trx, { code: 1, isFoundAnyway: true }))
  await expect(changing).rejects.toThrow('opened with its followers')
})
