import {
  ApiError,
  type Clock,
  type Failure,
  CARD_TYPE,
  type LinkRequest,
  USUAL_LANGUAGE,
  dropAbsent,
  linkFacts,
  linkMethods,
  linkTableOf,
  paymentTypeOf,
} from '@cofre/contracts'
import {
  type Page,
  type Merchant,
  type RequestNonce,
  type Parameters,
  mayBeWithdrawn,
  quantityMaxOf,
  accepted,
  refusedFields,
  type RoomPayments,
} from '@cofre/gateway/room'
import { readLinkQuery } from './model/link-query.js'
import type { LinkRules, RandomBelow } from './model/link-rules.js'
import type { LinkWithTries } from './model/payment-links.js'
import type { FoundTry } from './model/link-try.js'
import {
  type FoundLink,
  LINK_LIFETIME_MAX_MS,
  type PaymentLink,
  drawLinkId,
  isLinkId,
} from './model/payment-link.js'
import type { LinkTryStore, PaymentLinkStore } from './model/stores.js'

export interface ReadLinkRequestDeps {
  readonly clock: Clock
  readonly rules: LinkRules
}

/** Parses the JSON body of `POST /payment-links`. @throws ApiError with every failure (90501) */
export function readLinkRequest(
  { clock, rules: { purchaseLimits, requestPolicy } }: ReadLinkRequestDeps,
  merchant: Merchant,
  json: unknown,
): LinkRequest {
  const { refusesCardReferences, notificationUrl, installmentsMax } = merchant
  const nowMs = clock.now()
  const body = dropAbsent(json)
  const facts = linkFacts(body, {
    ...requestPolicy,
    refusesCardReferences,
    notificationUrl,
    nowMs,
    expiryMaxMs: nowMs + LINK_LIFETIME_MAX_MS,
    amountMaxMinor: purchaseLimits.perTransactionMinor,
  })
  const table = linkTableOf(installmentsMax)
  return accepted(table.validate(body, facts), refusedFields(table, merchant, body))
}

export interface LinkCreation {
  readonly request: LinkRequest
  /** `api`, or the requesting staff member. */
  readonly actor: string
  /** True if the same request was made before; the answer is its result. */
  readonly isRetry: boolean
  /** The request's nonce, unless it is recorded already. */
  readonly nonce?: RequestNonce | undefined
}

export interface CreateLinkDeps {
  readonly clock: Clock
  readonly payments: RoomPayments
  readonly randomBelow: RandomBelow
  readonly paymentLinks: PaymentLinkStore
}

/**
 * Creates a link.
 * @throws ApiError payment_link_capture_needs_cards, unavailable_payment_method with each method
 * that the store cannot accept, payment_link_reference_used, signature_nonce_used
 */
export async function createLink(
  deps: CreateLinkDeps,
  merchant: Merchant,
  { request, actor, isRetry, nonce }: LinkCreation,
): Promise<FoundLink> {
  const link = planLink(deps, merchant, { request, actor })
  refuseChargedAtOnce(link)
  await refuseUnavailable(deps, link)
  const result = await deps.paymentLinks.insert(link, nonce)
  if (result === 'inserted') return { link, state: 'payable' }
  if (result === 'nonce_used') throw new ApiError('signature_nonce_used')
  const { storeId, reference, createdAtMs: nowMs } = link
  const earlier = isRetry
    ? await deps.paymentLinks.findByReference(storeId, reference, nowMs)
    : undefined
  if (earlier !== undefined && isSame(earlier.link, link, request)) return earlier
  const name = 'payment_link_reference_used'
  throw new ApiError([{ name, property: 'reference', constraint: 'unique' }])
}

function planLink(
  { clock, randomBelow }: CreateLinkDeps,
  merchant: Merchant,
  { request, actor }: Pick<LinkCreation, 'request' | 'actor'>,
): PaymentLink {
  // Without methods, only a link that is captured later is valid.
  const { reference, amount, description, methods = [CARD_TYPE] } = request
  const notificationUrl = request['notification-url'] ?? merchant.notificationUrl
  if (notificationUrl === undefined) throw new Error('a link without an address was accepted')
  return {
    id: drawLinkId(randomBelow),
    storeId: merchant.id,
    reference,
    amountMinor: amount,
    description,
    methods,
    isCapturedLater: request.capture === false,
    usage: request.usage ?? 'once',
    installments: request.installments ?? quantityMaxOf(merchant),
    language: request.language ?? merchant.language ?? USUAL_LANGUAGE,
    successUrl: request['success-url'],
    notificationUrl,
    metadata: request.metadata,
    createdBy: actor,
    createdAtMs: clock.now(),
    expiresAtMs: request['expires-at'],
    revokedAtMs: undefined,
    revokedBy: undefined,
  }
}

/**
 * True if two links differ in no requested value: the store's defaults for omitted values may have
 * changed since.
 */
function isSame(one: PaymentLink, other: PaymentLink, request: LinkRequest): boolean {
  const { id, createdAtMs, revokedAtMs, revokedBy } = one
  const likeOne = {
    ...other,
    id,
    createdAtMs,
    revokedAtMs,
    revokedBy,
    ...(request.installments === undefined && { installments: one.installments }),
    ...(request.language === undefined && { language: one.language }),
    ...(request['notification-url'] === undefined && { notificationUrl: one.notificationUrl }),
  }
  return JSON.stringify(likeOne) === JSON.stringify(one)
}

/** @throws ApiError payment_link_capture_needs_cards with each method that is not captured later */
function refuseChargedAtOnce({ isCapturedLater, methods }: PaymentLink): void {
  if (!isCapturedLater) return
  const failures = [...methods.entries()].flatMap(([index, method]): readonly Failure[] => {
    if (method === CARD_TYPE) return []
    const property = `methods[${index}]`
    const name = 'payment_link_capture_needs_cards'
    return [{ name, property, constraint: 'invalid', index, allowed: [CARD_TYPE] }]
  })
  if (failures.length > 0) throw new ApiError(failures)
}

/** @throws ApiError unavailable_payment_method with each method that the store cannot accept */
async function refuseUnavailable(
  deps: CreateLinkDeps,
  { methods, storeId }: PaymentLink,
): Promise<void> {
  const failures: Failure[] = []
  for (const [index, method] of methods.entries()) {
    const cause = await deps.payments.obstacle(paymentTypeOf(method), storeId)
    const property = `methods[${index}]`
    const failure = {
      name: 'unavailable_payment_method',
      property,
      constraint: 'available',
    } as const
    if (cause !== undefined) failures.push({ ...failure, index, cause })
  }
  if (failures.length > 0) throw new ApiError(failures)
}

export interface MethodsOfStoreDeps {
  readonly payments: RoomPayments
  readonly rules: LinkRules
}

/** The methods that may pay the store's links. */
export async function methodsOfStore(
  deps: MethodsOfStoreDeps,
  storeId: string,
): Promise<readonly string[]> {
  const methods = linkMethods(deps.rules.requestPolicy)
  const obstacles = await Promise.all(
    methods.map(async (method) => await deps.payments.obstacle(paymentTypeOf(method), storeId)),
  )
  return methods.filter((_, index) => obstacles[index] === undefined)
}

/** The number of tries that are shown of a link. */
const TRIES_SHOWN = 100

export interface FindStoreLinkDeps {
  readonly clock: Clock
  readonly paymentLinks: PaymentLinkStore
  readonly linkTries: LinkTryStore
}

/** A link of the store; undefined if the store has no such link. */
export async function findStoreLink(
  { clock, linkTries, paymentLinks }: FindStoreLinkDeps,
  storeId: string,
  id: string,
): Promise<LinkWithTries | undefined> {
  const found = isLinkId(id) ? await paymentLinks.findOfStore(storeId, id, clock.now()) : undefined
  return found && { ...found, tries: (await linkTries.ofLink(id, TRIES_SHOWN)).map(shownTry) }
}

/** Hides a transaction that may still be withdrawn: its try counts as being requested. */
function shownTry(found: FoundTry): FoundTry {
  const { linkTry, transaction } = found
  if (transaction === undefined || !mayBeWithdrawn(transaction)) return found
  return { linkTry: { ...linkTry, transactionCode: undefined }, transaction: undefined }
}

export interface FindLinkDeps extends FindStoreLinkDeps {
  readonly machineClock: Clock
}

/** Like {@link findStoreLink}. @throws ApiError payment_link_not_found */
export async function findLink(
  deps: FindLinkDeps,
  storeId: string,
  id: string,
): Promise<LinkWithTries> {
  const found = await findStoreLink(deps, storeId, id)
  if (found === undefined) throw new ApiError('payment_link_not_found')
  return found
}

/** A page of a store's links, in the API's answer. */
export interface LinkPage extends Page<FoundLink> {
  readonly page: number
  readonly pageSize: number
}

export interface PaymentLinkDeps {
  readonly clock: Clock
  readonly paymentLinks: PaymentLinkStore
}

/** The links of a store, newest first. @throws ApiError with every wrong parameter */
export async function listLinks(
  { clock, paymentLinks }: PaymentLinkDeps,
  storeId: string,
  parameters: Parameters,
): Promise<LinkPage> {
  const { page, pageSize, ...query } = readLinkQuery(parameters)
  const nowMs = clock.now()
  const found = await paymentLinks.list(storeId, { ...query, page, pageSize, nowMs })
  return { ...found, page, pageSize }
}

/** The link and actor of a revocation. */
export interface LinkRevocation {
  readonly id: string
  readonly actor: string
  /** The request's nonce, unless it is recorded already. */
  readonly nonce?: RequestNonce | undefined
}

/**
 * Ends a link of the store permanently: it opens no further try, and charges that wait for its
 * payers are cancelled soon, at their banks too.
 * @throws ApiError payment_link_not_found, signature_nonce_used
 */
export async function revokeLink(
  deps: FindLinkDeps,
  storeId: string,
  { id, actor, nonce }: LinkRevocation,
): Promise<LinkWithTries> {
  const { clock, machineClock, paymentLinks } = deps
  if (!isLinkId(id)) throw new ApiError('payment_link_not_found')
  const result = await paymentLinks.revoke(storeId, id, {
    actor,
    atMs: clock.now(),
    machineNowMs: machineClock.now(),
    nonce,
  })
  if (result === 'nonce_used') throw new ApiError('signature_nonce_used')
  return await findLink(deps, storeId, id)
}
