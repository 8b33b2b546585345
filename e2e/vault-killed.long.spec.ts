// Long: kills the vault.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { MerchantApiError } from '@cofre/merchant'
import { type CofreProcess, freePorts, startVault } from './cofre-process.js'
import { railOrder } from './orders.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { startStandAlone } from './shape.js'

const CARD = { number: '4111111111111111', cvv: '737' }
const DECLINED = { number: '4000000000000002', cvv: '737' }
const SERVICE_UNAVAILABLE = 90006

/** Ends the two minutes that a request may take before a worker queries it. */
function endWaits({ dataDir }: CofreProcess): void {
  const database = new DatabaseSync(path.join(dataDir, 'gateway-sandbox.db'), { timeout: 5000 })
  database.exec('UPDATE transactions SET next_ask_at = 0 WHERE open = 1')
  database.close()
}

for (const { card, outcome } of [
  { card: CARD, outcome: 'COMPLETE' },
  { card: DECLINED, outcome: 'CANCELLED' },
]) {
  test(`a vault killed between the acquirer’s answer and its own returns the same later: ${outcome}`, async () => {
    const ports = await freePorts()
    let doomed: CofreProcess | undefined
    const running = await startStandAlone(
      ports,
      {},
      {
        // The acquirer has responded to the vault, and the vault has stored it; the gateway does
        // not know.
        async beforeAnswer({ target }) {
          if (doomed === undefined || !target.startsWith('/v1/authorizations')) return 'pass'
          await doomed.kill()
          return 'cut'
        },
      },
    )
    const merchant = merchantAt(ports.sandbox)
    const statusOf = async (code: string) => (await merchant.findTransaction(code)).status
    const token = await depositCard(ports, card)
    doomed = running.vault
    const { transaction } = await merchant.createTransaction(
      cardPurchase('order-1', { installments: 1, token }),
    )
    expect(transaction.status).toBe('PENDING')
    expect(await statusOf(transaction.code)).toBe('UNDER-REVIEW')

    doomed = undefined
    const again = await startVault(ports, running.vaultEnviron)
    endWaits(running.cofre)
    await expect.poll(() => statusOf(transaction.code)).toBe(outcome)
    // The token is spent: a thief's second order is refused.
    const second = merchant.createTransaction(cardPurchase('order-2', { installments: 1, token }))
    await expect(second).rejects.toThrow(MerchantApiError)
    await again.stop()
    await running.dispose()
  })
}

test('while the vault is down, cards are refused for certain, and boleto and PIX keep working', async () => {
  const ports = await freePorts()
  const running = await startStandAlone(ports, {}, { throughProxy: false })
  const merchant = merchantAt(ports.sandbox)
  const token = await depositCard(ports, CARD)
  await running.vault.kill()

  const byToken = cardPurchase('order-1', { installments: 1, token })
  const byRawCard = cardPurchase('order-2', {
    installments: 1,
    'credit-card': { ...CARD, 'expiration-date': '2030-12' },
  })
  for (const request of [byToken, byRawCard]) {
    const refusal = await merchant.createTransaction(request).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ status: 503, errors: [{ code: SERVICE_UNAVAILABLE }] })
  }
  for (const rail of ['boleto', 'pix'] as const) {
    const request = railOrder(rail, { reference: rail, notificationUrl: 'http://127.0.0.1:9/n' })
    expect((await merchant.createTransaction(request)).transaction.status).toBe('PENDING')
  }

  // The references are free again, and the token is still valid.
  const again = await startVault(ports, running.vaultEnviron)
  for (const request of [byToken, byRawCard]) {
    expect((await merchant.createTransaction(request)).transaction.status).toBe('PAID')
  }
  await again.stop()
  await running.dispose()
})
