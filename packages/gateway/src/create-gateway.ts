import type { TransactionRequest, TransactionStatus } from '@cofre/contracts'
import { type DueWork, pause } from '@cofre/work'
import { createGatewayApi } from './api/gateway-api.js'
import { createListParts, createPageParts } from './create-payment-parts.js'
import { type Ledger, type LedgerOptions, createLedger } from './ledger/ledger.js'
import { createPaymentMethods } from './methods/payment-methods.js'
import { boundedRails } from './methods/rail/rail-method.js'
import { bankBacklog } from './ledger/bank-charge/bank-backlog-sql.js'
import type { Merchant } from './model/merchant/merchant.js'
import { createStoreShares } from './model/notification/store-shares.js'
import {
  type Transaction,
  type TransactionCode,
  hasBeenPaid,
} from './model/transaction/transaction.js'
import { boundedBanks, createAccountBanks } from './payment/account-bank-service.js'
import { planCharge } from './payment/bank-payment-service.js'
import { createChargeOpening } from './payment/charge-opening-service.js'
import { type UnseenCharge, removeUnseen } from './payment/charge-removal-service.js'
import { type SaidOfCharge, recordCharge } from './payment/charge-record-service.js'
import type { ChargeMethod } from './model/payment-rail/kept-charge.js'
import { boletoObjections } from './payment/boleto-route-service.js'
import { followAuthentication } from './payment/card-authentication-service.js'
import type { BaseParts, UseCaseParts } from './composition/gateway-parts.js'
import { createPaymentListing } from './payment/payment-listing-service.js'
import {
  type Desk,
  changedPaymentsOf,
  endedPaymentsOf,
  givenAgainOf,
  shownPaymentsOf,
} from './payment/desk-service.js'
import { findWallet } from './payment/payer-page-service.js'
import { expectsNotice, takeNotice } from './payment/bank-notice-service.js'
import { createRoomPayments } from './payment/room-payments-service.js'
import { createBankReports, recordStatus } from './payment/status-report-service.js'
import { applyChange } from './payment/card-return-service.js'
import { createLimitReport } from './payment/decline-limit-service.js'
import { createIntents } from './payment/intent-service.js'
import { type CreationRequest, createTransaction } from './payment/transaction-service.js'
import { startWorker } from './worker/worker-service.js'

/** What a gateway is made of. */
export interface GatewayOptions
  extends
    Omit<BaseParts, keyof Ledger | 'shares' | 'pause'>,
    Omit<LedgerOptions, keyof UseCaseParts> {
  /** Default: by the machine's timers. */
  readonly pause?: UseCaseParts['pause']
  /** Milliseconds that a bank or wallet has to answer; default 20,000. */
  readonly railTimeoutMs?: number
}

/** A payer waits: no signal ends that. */
const NEVER = new AbortController().signal

/** The gateway of one environment. */
export type Gateway = ReturnType<typeof gatewayOf>

/** Puts a gateway together over its database. */
export function createGateway(options: GatewayOptions): Gateway {
  return gatewayOf(gatewayParts(options))
}

/** What use cases and the worker are made with, and the database. */
export type GatewayParts = UseCaseParts & Pick<GatewayOptions, 'database'>

/** The parts of a gateway. For {@link gatewayOf}, and for tests of use cases. */
export function gatewayParts({
  secretKeys,
  passwordCost,
  railTimeoutMs,
  ...options
}: GatewayOptions): GatewayParts {
  const ledger = createLedger({ ...options, secretKeys, passwordCost })
  const { bankOf } = options
  return withUseCases({
    ...options,
    ...ledger,
    rails: boundedRails(options.rails, railTimeoutMs),
    bankOf: bankOf && boundedBanks(bankOf, railTimeoutMs),
    shares: createStoreShares(),
    pause: options.pause ?? ((durationMs: number) => pause(durationMs, NEVER)),
  })
}

/** Binds the use cases that others are made with. For {@link gatewayParts}, and for tests. */
export function withUseCases(
  base: BaseParts & Pick<GatewayOptions, 'database'>,
  methodsOf = createPaymentMethods,
): GatewayParts {
  const banks = createAccountBanks(base)
  const removing = {
    ...base,
    banks,
    recordCharge: (code: TransactionCode, said: SaidOfCharge) => recordCharge(base, code, said),
  }
  const asking = {
    ...removing,
    opening: createChargeOpening({ ...base, banks }),
    removeUnseen: (intent: Transaction, unseen: UnseenCharge) =>
      removeUnseen(removing, intent, unseen),
    planCharge: (accountId: string, method: ChargeMethod) => planCharge(base, accountId, method),
    reportLimit: createLimitReport(base),
  }
  const creating = {
    ...asking,
    methods: methodsOf(asking),
    intents: createIntents(asking),
  }
  return {
    ...creating,
    create: (merchant: Merchant, creation: CreationRequest) =>
      createTransaction(creating, merchant, creation),
    applyChange: (change) => applyChange(asking, change),
    pageParts: createPageParts(base),
    listParts: createListParts(base),
  }
}

/** The gateway of these parts. */
export function gatewayOf(parts: GatewayParts) {
  const { accounts, database, merchants, notifications, environment, clock } = parts
  const { people, storeSessions } = parts
  return {
    environment,
    /** The environment's own time. */
    clock,
    /** For {@link createGatewayRoutes}. */
    api: createGatewayApi(parts),
    /** What waits in the outbox, by store. */
    backlog: () => notifications.backlog(),
    /** The stores whose card fields the vault does not know as they are now. */
    waitingFields: () => merchants.waitingFields(),
    /** What the banks of accounts have not answered yet. */
    bankBacklog: () => bankBacklog(database.reader),
    /** Creates the store that a start brings, and keeps what people have set of it. */
    ensureMerchant: (merchant: Merchant) => merchants.ensure(merchant),
    /** Creates the store, or replaces the one of that id. */
    saveMerchant: (merchant: Merchant) => merchants.save(merchant, 'start'),
    /**
     * Wraps by the first key every secret that another key wrapped, or none, of stores, of their
     * accounts, of people and of digests; returns how many. To be called before the gateway serves.
     * @throws StoreSecretError when a secret's key is missing
     */
    rewrapSecrets: () => rewrapSecrets(parts),
    /** The accounts of stores with providers. */
    accounts,
    /** Who works in the console: production's. */
    people,
    /** Who signed in to the console with a store's secret: the sandbox's. */
    storeSessions,
    /** What the desk of its people has of the core. */
    desk: deskOf(parts),
    /** For the room that finds payments for the people of a store. */
    listing: createPaymentListing(parts),
    /** Whether notices of an account arrive at an address with this secret. In constant time. */
    expectsNotice: (accountId: string, secret: string) => expectsNotice(parts, accountId, secret),
    /**
     * Takes a notice of an account's bank: each charge that it names is read at the bank soon.
     * Whoever sent it, it changes nothing by itself.
     */
    noticeOf: (accountId: string, names: readonly string[]) => takeNotice(parts, accountId, names),
    /** For rooms that let payers pay. */
    roomPayments: createRoomPayments(parts),
    /**
     * Starts notifications, refunds, open intents, card activations, expiries, and rooms' work.
     * @param onTop - What rooms that stand on this gateway have the worker do besides.
     */
    startWorker: (onTop: readonly DueWork[] = []) =>
      startWorker({ ...parts, roomWork: [...parts.roomWork, ...onTop] }),
    ...playedBy(parts),
  }
}

function deskOf(parts: GatewayParts): Desk {
  return {
    payments: shownPaymentsOf(parts),
    changes: changedPaymentsOf(parts),
    ends: endedPaymentsOf(parts),
    copies: givenAgainOf(parts),
    stores: parts.merchants,
  }
}

async function rewrapSecrets({ accounts, keyDigests, merchants, people }: GatewayParts) {
  const ofStores = (await merchants.rewrapSecrets()) + (await accounts.rewrap())
  return ofStores + (await people.rewrap()) + (await keyDigests.rewrap())
}

/** What those need who play a bank or a wallet. */
function playedBy(parts: GatewayParts) {
  const { merchants, transactions } = parts
  return {
    bankReports: createBankReports(parts),
    /** Of production, for the sandbox: why a store's bank would register no boleto for a payer. */
    boletoObjections: (storeId: string, payer: TransactionRequest['payer']) =>
      boletoObjections(parts, storeId, payer),
    /** Of the sandbox: whether a store, or that of a transaction, keeps cards for its payers. */
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
    /** Moves the transaction of a public address to a status it may go to. */
    async recordStatus(publicId: string, to: TransactionStatus) {
      const found = await transactions.findByPublicId(publicId)
      if (found === undefined) return { isPaid: false }
      await recordStatus(parts, found.code, to)
      const current = await transactions.findByPublicId(publicId)
      return { isPaid: current !== undefined && hasBeenPaid(current) }
    },
  }
}
