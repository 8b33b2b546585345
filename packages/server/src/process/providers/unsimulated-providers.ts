// Connections of simulator accounts without their simulator. Such accounts never moved money.
import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { AcquirerConnection } from '@cofre/provider-kit/card'
import type { BankConnection } from '@cofre/provider-kit/bank'
import { minorUnits } from '@cofre/contracts'

const UNSIMULATED = 'npm start alone plays the provider of this account'

const absent = () => Promise.resolve({ kind: 'absent' } as const)

/** Its charges end unpaid, and no money is refunded. */
export function unsimulatedBank({ label }: Pick<ProviderAccount, 'label'>): BankConnection {
  const refused = () => Promise.resolve({ kind: 'refused', detail: UNSIMULATED } as const)
  const failed = () => Promise.resolve({ kind: 'failed', detail: UNSIMULATED } as const)
  return {
    pix: {
      receiver: { name: label, city: '' },
      openCharge: refused,
      findCharge: absent,
      removeCharge: absent,
      refund: refused,
      findRefund: absent,
      listPayments: () => Promise.resolve({ kind: 'done', value: { payments: [] } }),
    },
    boleto: {
      minimumMinor: minorUnits(0),
      receiver: { name: label, city: '' },
      issue: refused,
      find: absent,
      cancel: absent,
      refund: refused,
      findRefund: absent,
    },
    notices: { namesIn: () => undefined, register: failed, remove: failed },
    steps: [],
    close: () => Promise.resolve(),
  }
}

/** It charges nothing, knows no charges, and refunds nothing. */
export function unsimulatedAcquirer(): AcquirerConnection {
  return {
    acquirer: {
      authorize: ({ earlier }) =>
        Promise.resolve(
          earlier === undefined
            ? { kind: 'not-sent', cause: 'no-connection', detail: UNSIMULATED }
            : { kind: 'unknown', detail: UNSIMULATED },
        ),
      cancel: () =>
        Promise.resolve({ kind: 'done', value: { state: 'done', returnId: undefined } }),
      refund: () =>
        Promise.resolve({
          kind: 'done',
          value: { state: 'refused', reason: 'not_enabled', code: undefined, detail: UNSIMULATED },
        }),
      find: absent,
      close: () => Promise.resolve(),
    },
    notices: { read: () => ({ kind: 'none' }), fit: () => ({ kind: 'contradiction' }) },
    steps: [],
  }
}
