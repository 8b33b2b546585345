import { ApiError, type TransactionStatus } from '@cofre/contracts'
import type { Gateway, WaitingWallet } from '@cofre/gateway'
import { Hono } from 'hono'
import { simulatedPageHeaders } from '../simulated-page/simulated-page.js'
import { walletPage } from './wallet-page.js'

/** The page of a simulated wallet: the payer pays or cancels, and returns to the shop. */
export function createWalletRoutes(gateway: Gateway): Hono {
  const app = new Hono({ strict: false })

  app.get('/w/:publicId', async (context) => {
    const wallet = await waitingWallet(gateway, context.req.param('publicId'))
    return context.html(walletPage(wallet), 200, headersOf(wallet))
  })

  app.post('/w/:publicId/:answer{pay|cancel}', async (context) => {
    const { publicId, answer } = context.req.param()
    const wallet = await waitingWallet(gateway, publicId)
    const status: TransactionStatus = answer === 'pay' ? 'COMPLETE' : 'CANCELLED'
    // A page that was answered before leads to the earlier answer's address.
    const paid = wallet.isWaiting ? await gateway.recordStatus(publicId, status) : wallet
    return context.redirect(paid.isPaid ? wallet.successUrl : wallet.failUrl, 303)
  })
  return app
}

async function waitingWallet(gateway: Gateway, publicId: string): Promise<WaitingWallet> {
  const wallet = await gateway.findWallet(publicId)
  if (wallet === undefined) throw new ApiError('route_not_found')
  return wallet
}

/** The form leads to the shop by a redirect, which form-action covers too. */
function headersOf({ successUrl, failUrl }: WaitingWallet): Record<string, string> {
  const shops = [...new Set([successUrl, failUrl].map((url) => new URL(url).origin))].join(' ')
  return simulatedPageHeaders(`'self' ${shops}`)
}
