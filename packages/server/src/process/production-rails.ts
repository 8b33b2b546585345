import type { PaymentRails } from '@cofre/gateway'
import { createSandboxRails } from '@cofre/sandbox'

const noAccount = () => Promise.reject(new Error('a payment without an account'))

/**
 * What no account is asked for in production. No provider of boletos and wallets has accounts yet:
 * `npm start` has the sandbox play them, so that they can be tried, and `serve` opens none. A PIX
 * has accounts alone. What was played in service moved no money, and none can go back.
 */
export function createProductionRails(mode: 'dev' | 'serve', publicUrl: string): PaymentRails {
  const played = createSandboxRails({ publicUrl })
  if (mode === 'dev')
    return {
      ...played,
      openPixCharge: noAccount,
      acceptsRefund: (paymentType) => paymentType !== 'eft',
    }
  return {
    opens: () => false,
    registerBoleto: noAccount,
    openPixCharge: noAccount,
    openWallet: noAccount,
    refund: (order) => played.refund(order),
    acceptsRefund: () => false,
  }
}
