// Small line drawings; they repeat what the words beside them say, so they are hidden from screen readers.
import type { PaymentKind } from '../order/order-payment.js'
import type { OrderState } from '../order/order-state.js'

export function MountainMark() {
  return (
    <svg class="mark" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <circle class="mark-sky" cx="20" cy="20" r="20" />
      <circle class="mark-sun" cx="27" cy="13" r="4" />
      <path class="mark-far" d="M1.5 27.5 14 12l8 10 4-4.5 12.6 10.5A20 20 0 0 1 1.5 27.5Z" />
      <path class="mark-near" d="M3.3 31 12 22.5l6 5.5 7-6.5 11.7 9.5A20 20 0 0 1 3.3 31Z" />
    </svg>
  )
}

export function CartIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M3 4h2.5l2 11h10.5l2-8H6.5M9.5 19.5v.01M16.5 19.5v.01" />
    </svg>
  )
}

export function LockIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11M12 14.5v2" />
    </svg>
  )
}

const METHOD_PATHS: Readonly<Record<PaymentKind, string>> = {
  card: 'M3 6.5h18v11H3zM3 10.5h18M6.5 14.5h4',
  pix: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v.01M20 17v3h-3M14 20v-1',
  boleto: 'M4 5v14M7 5v14M11 5v14M13.5 5v14M17 5v14M20 5v14',
  wallet: 'M4 7.5h15a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1h12M16 13v.01',
}

export function MethodIcon({ kind }: { readonly kind: PaymentKind }) {
  return (
    <svg class="icon method-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={METHOD_PATHS[kind]} />
    </svg>
  )
}

const STATE_PATHS: Readonly<Record<'good' | 'waiting' | 'bad', string>> = {
  good: 'M7 12.5l3.5 3.5L17 9',
  waiting: 'M12 7v5.5l3.5 2',
  bad: 'M8.5 8.5l7 7M15.5 8.5l-7 7',
}

/** How a state is coloured and drawn. */
export function toneOf(state: OrderState): 'good' | 'waiting' | 'bad' {
  switch (state) {
    case 'paid':
      return 'good'
    case 'processing':
    case 'unknown':
    case 'pending':
    case 'review':
    case 'refunded':
      return 'waiting'
    case 'rejected':
    case 'cancelled':
    case 'expired':
    case 'unpaid':
    case 'chargeback':
      return 'bad'
  }
}

export function StateIcon({ state }: { readonly state: OrderState }) {
  const tone = toneOf(state)
  return (
    <svg class={`state-icon tone-${tone}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="10" />
      <path d={STATE_PATHS[tone]} />
    </svg>
  )
}
