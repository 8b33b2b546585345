import type { ProviderAccount } from '@cofre/accounts'
import type { BankConnection } from '@cofre/banks'

const UNPLAYED = 'npm start alone plays this bank'

/**
 * The bank of a simulator's account where nobody plays it: its charges end unpaid, and no money
 * goes back. No money had moved.
 */
export function unplayedBank({ label }: Pick<ProviderAccount, 'label'>): BankConnection {
  const absent = () => Promise.resolve({ kind: 'absent' } as const)
  const refused = () => Promise.resolve({ kind: 'refused', detail: UNPLAYED } as const)
  const failed = () => Promise.resolve({ kind: 'failed', detail: UNPLAYED } as const)
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
    notices: { namesIn: () => undefined, register: failed, remove: failed },
    steps: [],
    close: () => Promise.resolve(),
  }
}
