import type { Answer, Clock } from '@cofre/contracts'
import {
  boletoBarcode,
  digitableLine,
  type BankBoleto,
  type BoletoBank,
  type BoletoFileBank,
  type KeptInstruction,
  type BankOfAccount,
} from '@cofre/provider-kit/bank'
import { type GatewayTables, boletoEndMs, dayInBrasilia } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import type { InstructionStore } from './model/stores.js'
import { createSqlInstructionStore } from './sql/instruction-store-sql.js'

export interface BoletosByFileOptions {
  /** The environment's time. */
  readonly clock: Clock
  readonly database: Database<GatewayTables>
}

interface FileBankDeps {
  readonly clock: Clock
  readonly instructions: InstructionStore
}

/** The banks of accounts. A bank that works by files is called like any other. */
export function boletosByFile(
  bankOf: BankOfAccount,
  { clock, database }: BoletosByFileOptions,
): BankOfAccount {
  const deps = { clock, instructions: createSqlInstructionStore(database) }
  return async (account) => {
    const { boletoFiles, ...bank } = await bankOf(account)
    if (boletoFiles === undefined) return bank
    return { ...bank, boleto: boletoBankByFile(deps, account.id, boletoFiles) }
  }
}

/**
 * Each request is an instruction, committed for the next remittance file: done at once. The bank's
 * reaction arrives in return files; here payments are unknown.
 */
function boletoBankByFile(
  { clock, instructions }: FileBankDeps,
  accountId: string,
  bank: BoletoFileBank,
): BoletoBank {
  return {
    minimumMinor: bank.minimumMinor,
    receiver: bank.receiver,

    async issue(order) {
      const issuedOn = dayInBrasilia(clock.now(), 0)
      const kept = await instructions.register({ accountId, order, issuedOn })
      if (kept.number <= bank.numberMax) return { kind: 'done', value: boletoOf(bank, kept) }
      await instructions.cancel({ accountId, name: order.name })
      return { kind: 'refused', detail: `the account has used all ${bank.numberMax} numbers` }
    },

    async find({ name }) {
      const kept = await instructions.find({ accountId, name })
      const answer = answerOf(bank, kept)
      if (answer.kind !== 'done' || answer.value.state !== 'open' || kept?.file === undefined)
        return answer
      // Only a return file proves that the boleto is unpaid.
      const hasEnded = clock.now() >= boletoEndMs(kept.dueDate)
      return hasEnded ? { ...answer, value: { ...answer.value, state: 'not-known' } } : answer
    },

    // The boleto stays as it is until the bank reports; only one that is in no file yet is gone at
    // once.
    async cancel({ name }) {
      return answerOf(bank, await instructions.cancel({ accountId, name }))
    },

    refund: () => Promise.resolve(NO_REFUND),
    findRefund: () => Promise.resolve({ kind: 'absent' }),
  }
}

const NO_REFUND = {
  kind: 'refused',
  detail: 'what was paid by the line of a boleto goes back by a transfer of the store',
} as const

function answerOf(bank: BoletoFileBank, kept: KeptInstruction | undefined): Answer<BankBoleto> {
  return kept === undefined ? { kind: 'absent' } : { kind: 'done', value: boletoOf(bank, kept) }
}

function boletoOf(bank: BoletoFileBank, kept: KeptInstruction): BankBoleto {
  const { amountMinor, dueDate, number, withdrawn } = kept
  const ourNumber = bank.ourNumber(number)
  const state = withdrawn ? 'removed' : 'open'
  const known = { state, bankId: ourNumber, amountMinor, dueDate, payments: [] } as const
  if (number > bank.numberMax) return { ...known, codes: undefined }
  const freeField = bank.freeField(number)
  const barcode = boletoBarcode({ bank: bank.code, dueDate, amountMinor, freeField })
  return { ...known, codes: { barcode, digitableLine: digitableLine(barcode), ourNumber } }
}
