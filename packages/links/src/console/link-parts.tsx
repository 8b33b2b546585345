import type { LinkMethod, LinkState, PaymentLink } from '../model/payment-link.js'
import type { TryState } from '../model/link-try.js'
import { properName } from '@cofre/pages'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import { type View, actorText, useTexts } from '@cofre/panel/page'

/** Names of the store's people, by the actor in links. */
export type ActorNames = ReadonlyMap<string, string>

/** The person or API that made or revoked a link. */
export function creatorText(actor: string, names: ActorNames, view: View): string {
  if (actor === 'api') return PAYMENT_LINK_TEXTS[view.language]['payment-links'].byApi
  return actorText({ actor, actorName: names.get(actor) }, view)
}

/** A wallet has its own name. */
export function methodName(method: LinkMethod, { language }: View): string {
  const names: Readonly<Record<string, string>> =
    PAYMENT_LINK_TEXTS[language]['payment-links'].methodNames
  return names[method] ?? properName(method)
}

export function methodNames(methods: readonly LinkMethod[], view: View): string {
  return methods.map((method) => methodName(method, view)).join(', ')
}

/** When the link's payments are charged, by its name in the texts. */
export function chargeOf({ isCapturedLater }: PaymentLink): 'at-once' | 'later' {
  return isCapturedLater ? 'later' : 'at-once'
}

const LINK_TONES: Readonly<Record<LinkState, string>> = {
  payable: 'waiting',
  reserved: 'waiting',
  paid: 'good',
  expired: 'quiet',
  revoked: 'quiet',
}

export function LinkBadge({ state }: { readonly state: LinkState }) {
  const { states } = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return <span class={`badge ${LINK_TONES[state]}`}>{states[state]}</span>
}

const TRY_TONES: Readonly<Record<TryState, string>> = {
  asking: 'waiting',
  authenticating: 'waiting',
  issuing: 'waiting',
  waiting: 'waiting',
  'under-review': 'waiting',
  reserved: 'waiting',
  paid: 'good',
  declined: 'bad',
  released: 'quiet',
  cancelled: 'quiet',
  expired: 'quiet',
  'not-asked': 'quiet',
}

export function TryBadge({ state }: { readonly state: TryState }) {
  const { tryStates } = useTexts(PAYMENT_LINK_TEXTS)['payment-links']
  return <span class={`badge ${TRY_TONES[state]}`}>{tryStates[state]}</span>
}
