import type { GatewayTables, MethodRoom, PaymentMethod, Transaction } from '@cofre/gateway/method'
import type { Database } from '@cofre/sql'
import type { DueWork } from '@cofre/work'
import {
  type BankCore,
  type BankOptions,
  type BankParts,
  bankBase,
  bindBanks,
} from './bank-parts.js'
import { workAtBanks } from './bank-work.js'
import { endedAtBanks, givenByBanks, openAtBanks, plannedAtBanks } from './method/bank-method.js'
import { bankChargePart, surplusPart } from './method/bank-parts.js'
import { chargeMethodOf } from './model/charge-kind.js'
import { expectsNotice, acceptNotice } from './payment/bank-notice-service.js'
import { type NewChargeRequest, payAtBank } from './payment/bank-payment-service.js'
import {
  type WantedBoleto,
  boletoObjections,
  boletoRouteOf,
} from './payment/boleto-route-service.js'
import type { BoletoObjections } from './payment/ports.js'
import { type BankBacklog, bankBacklog } from './sql/bank-backlog-sql.js'
import { createSqlBankChargeStore } from './sql/bank-charge-store-sql.js'

/** The banks of one environment. */
export interface Banks {
  /** The gateway's payment methods: PIX and boletos of stores with accounts. */
  readonly methodRoom: MethodRoom
  /** The worker's jobs for banks. */
  readonly bankWork: readonly DueWork[]
  /** The requests that the banks of accounts have not answered yet. */
  readonly bankBacklog: () => Promise<readonly BankBacklog[]>
  /**
   * True if the account's notices arrive at an address with this secret. Compares in constant time.
   */
  readonly expectsNotice: (accountId: string, secret: string) => Promise<boolean>
  /**
   * Accepts a notice from an account's bank: each charge that it names is soon read at the bank.
   * The notice itself changes nothing, whatever its sender.
   */
  readonly noticeOf: (accountId: string, names: readonly string[]) => Promise<void>
  /** Production's, for the sandbox: why a store's bank would register no boleto for a payer. */
  readonly boletoObjections: BoletoObjections
}

/** @param core - The gateway's core, before its methods are known. */
export function createBanks(core: BankCore, options: BankOptions): Banks {
  return banksOf(bindBanks(bankBase(core, options)))
}

/** The banks of these parts, for {@link createBanks} and for tests of use cases. */
export function banksOf(parts: BankParts): Banks {
  return {
    methodRoom: methodRoomOf(parts),
    bankWork: workAtBanks(parts),
    bankBacklog: () => bankBacklog(parts.database.reader),
    expectsNotice: (accountId, secret) => expectsNotice(parts, accountId, secret),
    noticeOf: (accountId, names) => acceptNotice(parts, accountId, names),
    boletoObjections: (storeId, payer) => boletoObjections(parts, storeId, payer),
  }
}

function methodRoomOf(parts: BankParts): MethodRoom {
  return {
    methodsOver: (own) => own.map((method) => atBanks(parts, method)),
    pageParts: [bankChargePart(parts.bankCharges)],
    listParts: [surplusPart(parts.surpluses)],
  }
}

/** Returns the method itself if no bank takes such payments. */
function atBanks(parts: BankParts, simulated: PaymentMethod): PaymentMethod {
  const method = chargeMethodOf(simulated.type)
  if (method === undefined) return simulated
  const asking = {
    ...parts,
    boletoRoute: (merchantId: string, wanted: WantedBoleto) =>
      boletoRouteOf(parts, merchantId, wanted),
    payAtBank: (intent: Transaction, asked: NewChargeRequest) => payAtBank(parts, intent, asked),
  }
  return {
    ...simulated,
    ...plannedAtBanks(asking, method, simulated),
    ...openAtBanks(parts, simulated),
    ...endedAtBanks(parts, simulated),
    ...givenByBanks(parts),
  }
}

/** The banks' part of a payment's page, for processes other than those that serve it. */
export function createBankPageParts(database: Database<GatewayTables>): MethodRoom['pageParts'] {
  return [bankChargePart(createSqlBankChargeStore(database))]
}
