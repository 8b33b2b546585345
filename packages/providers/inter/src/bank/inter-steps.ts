import type { AccountTestStep } from '@cofre/provider-kit/account'
import { type Clock, DAY_MS, HOUR_MS, SECOND_MS } from '@cofre/contracts'
import {
  type BoletoName,
  type BoletoReference,
  drawBoletoName,
  type BankTools,
} from '@cofre/provider-kit/bank'
import type { AuthorizedClient } from '@cofre/provider-kit/outbound'
import {
  dateInBrasilia,
  type Failure,
  type StepResult,
  TEST_PAYER_ADDRESS,
  sentenceOf,
  signInStep,
  paymentsAnswerSchema,
  periodQuery,
} from '@cofre/pix-api/bank'
import { INTER_SCOPES, type InterAccount } from './inter-account.js'
import type { InterBank } from './inter-bank.js'
import type { InterCallers } from './inter-calls.js'

export interface TestedInter {
  readonly account: Pick<InterAccount, 'profile' | 'testPayerDocument'>
  readonly client: AuthorizedClient
  readonly calls: InterCallers
  readonly bank: InterBank
  readonly randomBelow: BankTools['randomBelow']
  readonly clock: Clock
  /** Waits between two reads of a boleto that is being issued. */
  readonly wait: (ms: number) => Promise<unknown>
}

const READ_PAUSE_MS = 5 * SECOND_MS
const READS_MAX = 6

const NOTHING_ISSUED = {
  isDone: false,
  detail: 'There is no boleto of this test. Issue one first.',
}
const done = (detail: string) => ({ isDone: true, detail })

/**
 * The steps of `cofre account test` at the bank: no payment is made, and nothing is left behind.
 */
export function createInterSteps(tested: TestedInter): readonly AccountTestStep[] {
  const { account } = tested
  const { bank: company } = account.profile
  const context = { bank: company, object: 'boleto', scopes: INTER_SCOPES } as const
  const failed = (answer: Failure) => ({
    isDone: false,
    detail: sentenceOf(answer, { ...context, toCheck: 'the payer and the account' }),
  })
  const { testPayerDocument: document } = account
  const issuing = document === undefined ? [] : issuingSteps(tested, document, failed)
  return [...readingSteps(tested, failed), ...issuing]
}

type Failed = (answer: Failure) => StepResult

function readingSteps({ calls, client, clock }: TestedInter, failed: Failed): AccountTestStep[] {
  return [
    signInStep(client, failed),
    {
      text: 'List what was paid by PIX in the last hour',
      async run() {
        const listed = await calls.pix({
          operation: 'pix.list',
          method: 'GET',
          resource: 'pix',
          path: `?${periodQuery(clock.now() - HOUR_MS, clock.now(), 0)}`,
          answer: paymentsAnswerSchema(0),
        })
        return listed.kind === 'done'
          ? done(`The bank lists ${listed.value.payments.length} payments on the first page.`)
          : failed(listed)
      },
    },
  ]
}

function issuingSteps(tested: TestedInter, document: string, failed: Failed): AccountTestStep[] {
  const { bank } = tested
  let issued: BoletoReference | undefined
  return [
    {
      text: 'Issue a boleto of R$ 2.50',
      async run() {
        const reference = { name: drawBoletoName(tested.randomBelow), dueDate: dueDate(tested) }
        const answer = await bank.issue(testOrder(reference, document, tested))
        // After no answer the boleto may exist: the cancel looks it up.
        if (answer.kind === 'unknown') issued = { ...reference, bankId: undefined }
        if (answer.kind !== 'done') return failed(answer)
        issued = { ...reference, bankId: answer.value.bankId }
        return done(`The bank accepted boleto ${answer.value.bankId}.`)
      },
    },
    {
      text: 'Read the boleto until it is issued',
      async run() {
        if (issued === undefined) return NOTHING_ISSUED
        const found = await readUntilIssued(tested, issued)
        if (found.kind !== 'done') return failed(found)
        const { codes, state } = found.value
        if (codes === undefined)
          return { isDone: false, detail: `It is still ${state}. Try again.` }
        const pix = codes.pixCode === undefined ? 'no PIX: register a PIX key at the bank' : 'a PIX'
        return done(`The boleto is ${state}, and has a line and ${pix}.`)
      },
    },
    {
      text: 'Fetch its PDF',
      async run() {
        if (issued === undefined) return NOTHING_ISSUED
        const slip = await bank.slip(issued)
        return slip.kind === 'done' ? done(`It has ${slip.value.length} bytes.`) : failed(slip)
      },
    },
    {
      text: 'Cancel the boleto',
      isCleanup: true,
      async run() {
        if (issued === undefined) return done('There is none to cancel.')
        const cancelled = await bank.cancel(issued, 'waited_for')
        if (cancelled.kind === 'absent') return done('The bank has no such boleto.')
        if (cancelled.kind !== 'done') return failed(cancelled)
        const { state } = cancelled.value
        if (state === 'removed') return done('The bank cancelled the boleto.')
        return state === 'open'
          ? done('The bank has accepted the cancellation, and will carry it out soon.')
          : { isDone: false, detail: `The boleto is ${state}. Check it on the bank's own site.` }
      },
    },
  ]
}

async function readUntilIssued(
  { bank, wait }: TestedInter,
  boleto: BoletoReference,
): ReturnType<InterBank['find']> {
  for (let reads = 1; ; reads += 1) {
    const found = await bank.find(boleto, 'payer-waits')
    const isIssuing = found.kind === 'done' && found.value.state === 'issuing'
    if (!isIssuing || reads >= READS_MAX) return found
    await wait(READ_PAUSE_MS)
  }
}

/** Tomorrow: in the evening, the bank accepts no boleto that is due on the same day. */
function dueDate({ clock }: TestedInter): string {
  return dateInBrasilia(clock.now() + DAY_MS)
}

function testOrder(
  reference: { readonly name: BoletoName; readonly dueDate: string },
  document: string,
  { bank }: TestedInter,
): Parameters<InterBank['issue']>[0] {
  return {
    ...reference,
    amountMinor: bank.minimumMinor,
    payableDays: 0,
    description: 'Cofre: account test',
    payer: {
      name: bank.receiver.name,
      document,
      email: '',
      address: TEST_PAYER_ADDRESS,
    },
  }
}
