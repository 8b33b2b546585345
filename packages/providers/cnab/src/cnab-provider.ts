import type { AccountTestStep } from '@cofre/provider-kit/account'
import type { MinorUnits } from '@cofre/contracts'
import {
  type BoletoFileBank,
  boletoBarcode,
  digitableLine,
  printedLine,
  type BankConnection,
  type BankNotices,
  type BankProvider,
} from '@cofre/provider-kit/bank'
import {
  CNAB,
  CNAB_PROFILES,
  type CnabAccount,
  type CnabProfile,
  readCnabAccount,
} from './cnab-account.js'
import { cnabQuestions, readCnabEntry } from './cnab-questions.js'
import { remittanceFile } from './remittance/remittance.js'

/** Boletos by CNAB files: remittance files go to the bank, return files are its answers. */
export const cnab: BankProvider = {
  name: CNAB,
  methods: ['boleto'],
  answersByFile: true,
  profiles: Object.entries<CnabProfile>(CNAB_PROFILES).map(([name, { company, unconfirmed }]) => ({
    name,
    company,
    // A test account's files go to the bank for a check of their layout.
    kinds: ['live', 'test'],
    unconfirmed,
  })),
  rules: [],
  questions: cnabQuestions,
  readAccount: readCnabEntry,
  connect: (account) => connectCnab(readCnabAccount(account)),
}

function connectCnab(account: CnabAccount): BankConnection {
  const boletoFiles = fileBankOf(account)
  return {
    boletoFiles,
    notices: NO_NOTICES,
    steps: [exampleStep(boletoFiles)],
    close: () => Promise.resolve(),
  }
}

/** No bank is known to refuse small amounts. */
const MINIMUM = 1 as MinorUnits

function fileBankOf({ bank, ...contract }: CnabAccount): BoletoFileBank {
  return {
    code: bank.code,
    numberMax: bank.numberMax,
    minimumMinor: MINIMUM,
    // Only a PIX code contains the city.
    receiver: { name: contract.receiver.name, city: '' },
    ourNumber: (number) => bank.ourNumber(contract, number),
    freeField: (number) => bank.freeField(contract, number),
    remittanceFile: (remittance) => remittanceFile(bank, contract, remittance),
  }
}

/** Files are the only channel: the bank makes no calls. */
const NO_NOTICES: BankNotices = {
  namesIn: () => undefined,
  register: () => Promise.resolve({ kind: 'failed', detail: 'a bank by files makes no calls' }),
  remove: () => Promise.resolve({ kind: 'done' }),
}

const EXAMPLE = { dueDate: '2030-01-02', amountMinor: 100 as MinorUnits } as const

/** An example to compare with a boleto from the bank itself. */
function exampleStep(bank: BoletoFileBank): AccountTestStep {
  return {
    text: 'Compose a boleto of R$ 1.00 without sending it to the bank',
    run() {
      const number = bank.numberMax
      const freeField = bank.freeField(number)
      const line = digitableLine(boletoBarcode({ ...EXAMPLE, bank: bank.code, freeField }))
      const detail = `Our number ${bank.ourNumber(number)}, line ${printedLine(line)}. Compare them with one of the bank's own boletos before a payer gets one.`
      return Promise.resolve({ isDone: true, detail })
    },
  }
}
