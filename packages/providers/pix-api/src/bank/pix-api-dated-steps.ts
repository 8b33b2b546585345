import type { AccountTestStep } from '@cofre/provider-kit/account'
import { type Clock, DAY_MS, minorUnits } from '@cofre/contracts'
import {
  type BankBoleto,
  type BoletoReference,
  drawBoletoName,
  payerCode,
  type BankTools,
} from '@cofre/provider-kit/bank'
import type { AuthorizedClient } from '@cofre/provider-kit/outbound'
import type { PixApiAccount } from './pix-api-account.js'
import type { PixApiBoletos } from './pix-api-dated-charges.js'
import { dateInBrasilia } from './pix-api-dated-wire.js'
import { DATED_SCOPES } from './pix-api-profiles.js'
import {
  type Failure,
  type StepResult,
  TEST_PAYER_ADDRESS,
  sentenceOf,
  signInStep,
} from './pix-api-steps.js'

export interface TestedBoletos {
  readonly account: Pick<PixApiAccount, 'profile' | 'testPayerDocument'>
  readonly client: Pick<AuthorizedClient, 'signIn'>
  readonly boletos: PixApiBoletos
  readonly randomBelow: BankTools['randomBelow']
  readonly clock: Clock
}

const ONE_CENTAVO = minorUnits(1)
const DUE_IN_MS = 3 * DAY_MS
const NOTHING_OPENED = { isDone: false, detail: 'There is no boleto of this test. Open one first.' }
const done = (detail: string) => ({ isDone: true, detail })

/** The steps of `cofre account test` for an account with boletos: nothing is left behind. */
export function createDatedSteps(tested: TestedBoletos): readonly AccountTestStep[] {
  const { account, client } = tested
  const context = { object: 'boleto', scopes: DATED_SCOPES, toCheck: 'PIX key and payer' } as const
  const failed: Failed = (answer) => ({
    isDone: false,
    detail: sentenceOf(answer, { bank: account.profile.bank, ...context }),
  })
  const signIn = signInStep(client, failed, 'Sign in for boletos')
  const document = account.testPayerDocument
  const steps =
    document === undefined ? [readStep(tested, failed)] : openingSteps(tested, document, failed)
  return [signIn, ...steps].map((step) => ({ ...step, method: 'boleto' }))
}

type Failed = (answer: Failure) => StepResult

/** Without a payer no charge can be opened; a look-up shows if the bank permits reading. */
function readStep(tested: TestedBoletos, failed: Failed): AccountTestStep {
  return {
    text: 'Look for a boleto that does not exist',
    async run() {
      const found = await tested.boletos.find(drawReference(tested), 'payer-waits')
      if (found.kind === 'absent') return done('The bank lets this client read boletos.')
      if (found.kind !== 'done') return failed(found)
      return { isDone: false, detail: 'The bank shows a boleto that nobody opened. Ask the bank.' }
    },
  }
}

function openingSteps(tested: TestedBoletos, document: string, failed: Failed): AccountTestStep[] {
  const { boletos } = tested
  let opened: BoletoReference | undefined
  return [
    {
      text: 'Open a boleto of R$ 0.01',
      async run() {
        const drawn = drawReference(tested)
        const answer = await boletos.issue(testOrder(drawn, document))
        if (answer.kind === 'done' || answer.kind === 'unknown') opened = drawn
        return answer.kind === 'done'
          ? done(`The bank opened boleto ${answer.value.bankId}.`)
          : failed(answer)
      },
    },
    {
      text: 'Read the boleto',
      async run() {
        if (opened === undefined) return NOTHING_OPENED
        const found = await boletos.find(opened, 'payer-waits')
        return found.kind === 'done' ? codeResult(found.value, boletos) : failed(found)
      },
    },
    {
      text: 'Remove the boleto',
      isCleanup: true,
      async run() {
        if (opened === undefined) return done('There is none to remove.')
        const removed = await boletos.cancel(opened)
        if (removed.kind === 'absent') return done('The bank has no such boleto.')
        if (removed.kind !== 'done') return failed(removed)
        const { state } = removed.value
        return state === 'removed'
          ? done('The bank removed the boleto.')
          : { isDone: false, detail: `The boleto is ${state}. Check it on the bank's own site.` }
      },
    },
  ]
}

function codeResult(
  { amountMinor, codes, state }: BankBoleto,
  { receiver }: PixApiBoletos,
): StepResult {
  const charge = { amountMinor, code: codes?.pixCode, location: codes?.pixLocation }
  const code = payerCode(charge, receiver)
  return code.kind === 'contradiction'
    ? { isDone: false, detail: `No payer may see this PIX code: ${code.detail}. Ask the bank.` }
    : done(`The boleto is ${state}, and its PIX code matches.`)
}

function drawReference({ clock, randomBelow }: TestedBoletos): BoletoReference {
  const dueDate = dateInBrasilia(clock.now() + DUE_IN_MS)
  return { name: drawBoletoName(randomBelow), bankId: undefined, dueDate }
}

function testOrder({ dueDate, name }: BoletoReference, document: string) {
  return {
    name,
    dueDate,
    amountMinor: ONE_CENTAVO,
    payableDays: 0,
    description: 'Cofre: account test',
    payer: {
      name: 'Cofre: account test',
      document,
      email: '',
      address: TEST_PAYER_ADDRESS,
    },
  }
}
