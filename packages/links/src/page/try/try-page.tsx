import { shopperTextOf } from '@cofre/contracts/declines'
import { fill } from '@cofre/pages'
import type { ShownTry } from '../../model/payment-page.js'
import { type TryState, waitsForPayer } from '../../model/link-try.js'
import { methodName } from '../frame/method.js'
import { assets, useView } from '../frame/view.js'
import { Instructions } from './instructions.js'
import { Facts, Receipt } from './receipt.js'
import type { TryPageProps } from './try-page-props.js'

/** States that end without this page: it polls for the end. */
const RUNNING: readonly TryState[] = [
  'asking',
  'issuing',
  'waiting',
  'under-review',
  'authenticating',
]

/** True if the payer has done all: nothing is left but the store's capture. */
function isDone({ state }: ShownTry): boolean {
  return state === 'reserved' || state === 'paid'
}

/** True if the page polls for a change of the try. */
export function isFollowed({ state }: ShownTry): boolean {
  return RUNNING.includes(state)
}

export function TryScripts({ shown }: { readonly shown: ShownTry }) {
  return isFollowed(shown) || isDone(shown) ? (
    <script type="module" src={assets.urlOf('follow.js')} />
  ) : null
}

/** The state of a try, and the payer's next step. */
export function TryPage(props: TryPageProps) {
  const { link, shown } = props
  const { texts, here } = useView()
  const { state } = shown
  return (
    <>
      <section
        id="try"
        class={`card stack state ${LEVELS[state]}-state`}
        data-testid="try"
        data-state={state}
        data-look={isFollowed(shown) ? `/pay/${link.id}/${shown.id}/state` : undefined}
        data-forget={isDone(shown) ? link.id : undefined}
        aria-labelledby="state"
      >
        <h1 id="state">{titleOf(props, texts)}</h1>
        <StateText {...props} />
        {waitsForPayer(state) && <Instructions {...props} />}
        {state === 'authenticating' && (
          <p>
            <a class="button" href={`/a/${shown.publicId}`}>
              {texts.try.authenticate}
            </a>
          </p>
        )}
        {isFollowed(shown) && (
          <p class="screen-only">
            <a class="button quiet" href={here}>
              {texts.try.check}
            </a>
          </p>
        )}
        {isDone(shown) && <GoOn link={link} />}
      </section>
      {state === 'paid' ? <Receipt {...props} /> : <Facts {...props} />}
      <RetryLink {...props} />
    </>
  )
}

const LEVELS: Readonly<Record<TryState, 'good' | 'waiting' | 'bad'>> = {
  asking: 'waiting',
  issuing: 'waiting',
  waiting: 'waiting',
  'under-review': 'waiting',
  authenticating: 'waiting',
  reserved: 'good',
  paid: 'good',
  declined: 'bad',
  released: 'bad',
  cancelled: 'bad',
  expired: 'bad',
  'not-asked': 'bad',
}

type Texts = ReturnType<typeof useView>['texts']

/** The title of a waiting payment is the payer's next step. */
export function titleOf({ shown }: Pick<TryPageProps, 'shown'>, texts: Texts): string {
  const { details, state } = shown
  if (state !== 'waiting') return texts.try.states[state].title
  switch (details?.kind) {
    case 'pix':
      return texts.try.pix.title
    case 'boleto':
      return details.digitableLine === undefined && details.pixCode !== undefined
        ? texts.try.pix.title
        : texts.try.boleto.title
    case 'wallet':
      return fill(texts.try.wallet.title, { name: methodName(shown.method, texts) })
    case 'card':
    case undefined:
      return texts.try.states.waiting.title
  }
}

function StateText({ shown }: TryPageProps) {
  const { texts, language } = useView()
  const { details, state } = shown
  if (state === 'not-asked') return <p>{texts.try.nothingCharged}</p>
  if (state !== 'declined') {
    const { text } = texts.try.states[state]
    return text === '' ? null : <p>{text}</p>
  }
  const reason = details?.kind === 'card' ? details.decline?.reason : undefined
  return (
    <p data-testid="decline">
      {shopperTextOf(reason ?? 'generic', language)} {texts.try.nothingCharged}
    </p>
  )
}

function GoOn({ link }: Pick<TryPageProps, 'link'>) {
  const { texts } = useView()
  if (link.successUrl === undefined) return null
  return (
    <p class="screen-only">
      <a class="button" href={link.successUrl} data-testid="go-on">
        {texts.try.goOn}
      </a>
    </p>
  )
}

/** Back to the form, while the link can be paid. */
function RetryLink({ link, shown }: TryPageProps) {
  const { texts } = useView()
  const { state } = shown
  if (link.state !== 'payable' || !RETRYABLE_STATES.includes(state)) return null
  const isWaiting = waitsForPayer(state)
  return (
    <p class="other-way screen-only">
      <a class={isWaiting ? 'button quiet' : 'button'} href={`/pay/${link.id}`}>
        {isWaiting ? texts.try.payOtherWay : texts.try.tryAgain}
      </a>
      {isWaiting && link.isUsedOnce && <span class="hint">{texts.try.cancelsCode}</span>}
    </p>
  )
}

/** No other try is offered while a try may have been paid. */
const RETRYABLE_STATES: readonly TryState[] = [
  'issuing',
  'waiting',
  'declined',
  'released',
  'cancelled',
  'expired',
  'not-asked',
]
