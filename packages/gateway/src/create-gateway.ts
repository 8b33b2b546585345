import type { TransactionStatus } from '@cofre/contracts'
import { type DueWork, pause } from '@cofre/work'
import { createGatewayApi } from './api/gateway-api.js'
import { createListParts, createPageParts } from './create-payment-parts.js'
import { type Ledger, type LedgerOptions, createLedger } from './ledger/ledger.js'
import { createPaymentMethods } from './methods/payment-methods.js'
import { boundedRails } from './methods/rail/rail-method.js'
import { type MethodRoom, NO_METHOD_ROOM } from './method/method-room.js'
import { paymentMethodsOf } from './method/payment-method.js'
import type { Merchant } from './model/merchant/merchant.js'
import { type TransactionCode, hasBeenPaid } from './model/transaction/transaction.js'
import { followAuthentication } from './payment/card-authentication-service.js'
import type { BaseParts, UseCaseParts } from './composition/gateway-parts.js'
import { createPaymentListing } from './payment/payment-listing-service.js'
import {
  type Desk,
  changedPaymentsOf,
  endedPaymentsOf,
  copiesOf,
  shownPaymentsOf,
} from './payment/desk-service.js'
import { findWallet } from './payment/payer-page-service.js'
import { createRoomPayments } from './payment/room-payments-service.js'
import { createBankReports, recordStatus } from './payment/status-report-service.js'
import { applyChange } from './payment/card-return-service.js'
import { createLimitReport } from './payment/decline-limit-service.js'
import { createPayerGuard } from './payment/payer-guard-service.js'
import { createIntents } from './payment/intent-service.js'
import { type CreationRequest, createTransaction } from './payment/transaction-service.js'
import { startWorker } from './worker/worker-service.js'

export interface GatewayOptions
  extends Omit<BaseParts, keyof Ledger | 'pause'>, Omit<LedgerOptions, keyof UseCaseParts> {
  /** Default: the machine's timers. */
  readonly pause?: UseCaseParts['pause']
  /** Milliseconds in which a bank or wallet must answer; default 20,000. */
  readonly railTimeoutMs?: number
}

/** Never aborted: the payer waits. */
const NEVER = new AbortController().signal

export type Gateway = ReturnType<typeof gatewayOf>

/** An environment's parts before its methods are known, and the database. */
export type GatewayCore = BaseParts & Pick<GatewayOptions, 'database'>

/** Dependencies of the use cases and the worker, and the database. */
export type GatewayParts = UseCaseParts & GatewayCore

/** The gateway's base; rooms with payment methods are created from it before the gateway. */
export function createGatewayCore({
  secretKeys,
  intentRemovals,
  passwordCost,
  railTimeoutMs,
  ...options
}: GatewayOptions): GatewayCore {
  return {
    ...options,
    ...createLedger({ ...options, secretKeys, intentRemovals, passwordCost }),
    rails: boundedRails(options.rails, railTimeoutMs),
    pause: options.pause ?? ((durationMs: number) => pause(durationMs, NEVER)),
  }
}

/**
 * Composes a gateway.
 * @param room - Adds the methods that are not the core's.
 */
export function createGateway(core: GatewayCore, room?: MethodRoom): Gateway {
  return gatewayOf(withUseCases(core, room))
}

/** Binds the use cases that others depend on. For {@link createGateway}, and for tests. */
export function withUseCases(core: GatewayCore, room: MethodRoom = NO_METHOD_ROOM): GatewayParts {
  const asking = { ...core, reportLimit: createLimitReport(core) }
  const creating = {
    ...asking,
    methods: paymentMethodsOf(room.methodsOver(createPaymentMethods(asking))),
    intents: createIntents(asking),
  }
  return {
    ...creating,
    create: (merchant: Merchant, creation: CreationRequest) =>
      createTransaction(creating, merchant, creation),
    applyChange: (change) => applyChange(asking, change),
    pageParts: createPageParts(core.cardChanges, room.pageParts),
    listParts: createListParts(room.listParts),
  }
}

export function gatewayOf(parts: GatewayParts) {
  const { accounts, merchants, environment, clock } = parts
  const { people, storeSessions } = parts
  return {
    environment,
    clock,
    /** For {@link createGatewayRoutes}. */
    api: createGatewayApi(parts),
    /** Stores whose current card fields the vault has not received yet. */
    waitingFields: () => merchants.waitingFields(),
    /**
     * Creates a store from the start's configuration; keeps the settings that people have changed.
     */
    ensureMerchant: (merchant: Merchant) => merchants.ensure(merchant),
    /** Creates the store, or replaces the one with the same id. */
    saveMerchant: (merchant: Merchant) => merchants.save(merchant, 'start'),
    /**
     * Wraps with the first key each secret that another key wrapped, or none: those of stores,
     * accounts, people and digests. Returns their number. Call it before the gateway serves.
     * @throws StoreSecretError if a secret's key is missing
     */
    rewrapSecrets: () => rewrapSecrets(parts),
    /** The accounts of stores with providers. */
    accounts,
    /** People who work in the console (production). */
    people,
    /** Sessions in the console that a store's secret opened (sandbox). */
    storeSessions,
    /** The stores, for operators. */
    stores: merchants,
    /** The core's part of the staff's desk. */
    desk: deskOf(parts),
    /** For the room that finds payments for a store's staff. */
    listing: createPaymentListing(parts),
    /** For rooms that let payers pay. */
    roomPayments: createRoomPayments(parts),
    /** For the room that saves cards without a payment. */
    payerGuard: createPayerGuard(parts),
    /**
     * Starts refunds, open intents, card activations, expiries, and rooms' work.
     * @param onTop - Work of the rooms that are created from this gateway.
     */
    startWorker: (onTop: readonly DueWork[] = []) =>
      startWorker({ ...parts, roomWork: [...parts.roomWork, ...onTop] }),
    ...simulatedBy(parts),
  }
}

function deskOf(parts: GatewayParts): Desk {
  return {
    payments: shownPaymentsOf(parts),
    changes: changedPaymentsOf(parts),
    ends: endedPaymentsOf(parts),
    copies: copiesOf(parts),
    stores: parts.merchants,
  }
}

async function rewrapSecrets({ accounts, keyDigests, merchants, people }: GatewayParts) {
  const ofStores = (await merchants.rewrapSecrets()) + (await accounts.rewrap())
  return ofStores + (await people.rewrap()) + (await keyDigests.rewrap())
}

/** Dependencies of a simulated bank or wallet. */
function simulatedBy(parts: GatewayParts) {
  const { merchants, transactions } = parts
  return {
    bankReports: createBankReports(parts),
    /** For the sandbox: true if a store, or a transaction's store, keeps cards for its payers. */
    async keepsOwnCards(
      of: { readonly merchantId: string } | { readonly transactionCode: string },
    ) {
      const id =
        'merchantId' in of
          ? of.merchantId
          : (await transactions.findByCode(Number(of.transactionCode) as TransactionCode))
              ?.merchantId
      return id !== undefined && (await merchants.find(id))?.savedCards === 'own'
    },
    /** The wallet payment of a public address; undefined when there is none. */
    findWallet: (publicId: string) => findWallet(parts, publicId),
    /** The card payment of a public address. @throws ApiError route_not_found */
    findWaitingCard: (publicId: string) => followAuthentication(parts, publicId),
    /** Moves the transaction of a public address to a status, if its present one allows that. */
    async recordStatus(publicId: string, to: TransactionStatus) {
      const found = await transactions.findByPublicId(publicId)
      if (found === undefined) return { isPaid: false }
      await recordStatus(parts, found.code, to)
      const current = await transactions.findByPublicId(publicId)
      return { isPaid: current !== undefined && hasBeenPaid(current) }
    },
  }
}
