// Parts beside a payment in the sandbox: the bank's next report, the end of refunds, and the
// requests so far.
import { TRANSACTION_STATUSES } from '@cofre/contracts'
import { type Refund, isAuthorized } from '@cofre/gateway/room'
import type { RecordedRequest } from '@cofre/sandbox'
import { type ConsolePages, SANDBOX_TOOL, done, refused } from '../frame/console-pages.js'
import type { SandboxParts } from '../visit/panel-parts.js'
import { PostForm } from '../part/parts.js'
import { useView, useTexts } from '../visit/visit.js'
import type { SimulatedParts } from '../visit/simulated-parts.js'
import { BankSection } from './bank-section.js'
import { RequestCard } from './requests.js'
import { SANDBOX_TEXTS } from './texts.js'

/** Results of reporting a status that the transaction can't change to. */
const STATUS_FLASHES = {
  'not-allowed': 'status-not-allowed',
  'not-found': 'gone',
} as const

/** Results of ending a refund that can't end so. */
const REFUND_FLASHES = { 'not-allowed': 'refund-ended', 'not-found': 'gone' } as const

export function simulatedPayments({ sandbox }: SandboxParts): SimulatedParts['ofPayment'] {
  return async (storeId, transaction) => {
    const requests = await sandbox.requests.findOf(storeId, String(transaction.code))
    const { refund } = await sandbox.modes.modesOf(storeId)
    return {
      // Only a capture or a void ends an authorized payment.
      bank: !isAuthorized(transaction) && <BankSection {...transaction} />,
      requests: <Requests requests={requests} />,
      refunds: {
        note: refund.kind !== 'by-hand' && <EndsByItself />,
        endings: (one, name) => <RefundEndings refund={one} name={name} />,
      },
    }
  }
}

export function simulatedPaymentActions(
  { action }: ConsolePages,
  { desk }: Pick<SandboxParts, 'desk'>,
): void {
  action('/payments/:code/status', SANDBOX_TOOL, async ({ c, storeId }, form) => {
    const { code = '' } = c.req.param()
    const status = TRANSACTION_STATUSES.find((known) => known === form.get('status'))
    if (status === undefined) return refused('form-incomplete')
    const change = await desk.changeStatus(storeId, code, status)
    return change === 'changed' ? done('status-notified') : refused(STATUS_FLASHES[change])
  })

  action('/refunds/:id', SANDBOX_TOOL, async ({ c, storeId }, form) => {
    const { id = '' } = c.req.param()
    const outcome = form.get('status')
    if (outcome !== 'PROCESSED' && outcome !== 'REJECTED') return refused('form-incomplete')
    const change = await desk.finishRefund(storeId, id, outcome)
    if (change !== 'changed') return refused(REFUND_FLASHES[change])
    return done(outcome === 'PROCESSED' ? 'refund-processed' : 'refund-rejected')
  })
}

function Requests({ requests }: { readonly requests: readonly RecordedRequest[] }) {
  const texts = useTexts(SANDBOX_TEXTS).played
  return (
    <section>
      <h2>{texts.requests}</h2>
      {requests.length === 0 && <p class="hint">{texts.noRequests}</p>}
      {requests.map((request) => (
        <RequestCard {...request} />
      ))}
    </section>
  )
}

function EndsByItself() {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).played
  return (
    <p class="hint">
      {texts.atOnce} <a href={at('/settlement')}>{texts.decide}</a>
    </p>
  )
}

interface RefundEndingsProps {
  readonly refund: Refund
  readonly name: string
}

function RefundEndings({ refund, name }: RefundEndingsProps) {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).played
  const button = (outcome: string, text: string, style?: string) => (
    <button name="status" value={outcome} class={style}>
      {text}
      <span class="visually-hidden">: {name}</span>
    </button>
  )
  return (
    <PostForm action={at(`/refunds/${refund.id}`)} class="actions">
      {button('PROCESSED', texts.processed)}
      {button('REJECTED', texts.rejected, 'bad')}
    </PostForm>
  )
}
