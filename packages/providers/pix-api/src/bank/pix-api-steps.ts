import type { AccountTestStep } from '@cofre/provider-kit/account'
import { type Clock, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import {
  type BoletoPayerAddress,
  type PixTxid,
  drawTxid,
  payerCode,
  type BankTools,
} from '@cofre/provider-kit/bank'
import type { AuthorizedClient } from '@cofre/provider-kit/outbound'
import type { PixApiBank } from './pix-api-bank.js'
import type { PixApiAnswer, PixApiReason } from './pix-api-calls.js'
import { type PixApiProfile, SCOPES } from './pix-api-profiles.js'
import type { PixApiCharge } from './pix-api-wire.js'

const ONE_CENTAVO = minorUnits(1)
const LIFETIME_MS = 10 * MINUTE_MS
/** Half of the overlap of lists of payments. */
const CLOCK_DIFFERENCE_MAX_MS = 5 * MINUTE_MS

export interface TestedAccount {
  readonly profile: PixApiProfile
  readonly client: AuthorizedClient
  readonly bank: PixApiBank
  readonly randomBelow: BankTools['randomBelow']
  readonly clock: Clock
}

/**
 * The address of a test boleto's payer: a public square, since banks require one. No mail is sent.
 */
export const TEST_PAYER_ADDRESS: BoletoPayerAddress = {
  street: 'Praça da Sé',
  number: '1',
  complement: undefined,
  district: 'Sé',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01001000',
}

export type StepResult = Awaited<ReturnType<AccountTestStep['run']>>

const NOTHING_OPENED = { isDone: false, detail: 'There is no charge of this test. Open one first.' }
const done = (detail: string) => ({ isDone: true, detail })

/** The steps of `cofre account test` at a bank: no payment is made, and nothing is left behind. */
export function createPixApiSteps(account: TestedAccount): readonly AccountTestStep[] {
  const { bank, client, clock } = account
  let txid: PixTxid | undefined
  const failed = (answer: Failure) => ({
    isDone: false,
    detail: sentenceOf(answer, { ...account.profile, ...CHARGES }),
  })
  return [
    signInStep(client, failed),
    {
      text: 'Open a charge of R$ 0.01',
      method: 'pix',
      async run() {
        const drawn = drawTxid(account.randomBelow)
        const opened = await bank.openCharge({
          txid: drawn,
          amountMinor: ONE_CENTAVO,
          lifetimeSeconds: LIFETIME_MS / SECOND_MS,
          description: 'Cofre: account test',
        })
        if (opened.kind === 'done' || opened.kind === 'unknown') txid = drawn
        if (opened.kind !== 'done') return failed(opened)
        return (
          clockDifference(opened.value, clock.now()) ?? done(`The bank opened charge ${drawn}.`)
        )
      },
    },
    {
      text: 'Read the charge',
      method: 'pix',
      async run() {
        if (txid === undefined) return NOTHING_OPENED
        const found = await bank.findCharge(txid, 'payer-waits')
        if (found.kind !== 'done') return failed(found)
        const shown = payerCode(found.value, bank.receiver)
        if (shown.kind === 'contradiction')
          return {
            isDone: false,
            detail: `No payer may see this PIX code: ${shown.detail}. Ask the bank.`,
          }
        return done(`The charge is ${found.value.state}, and its PIX code matches.`)
      },
    },
    {
      text: 'Remove the charge',
      method: 'pix',
      isCleanup: true,
      async run() {
        if (txid === undefined) return done('There is none to remove.')
        const removed = await bank.removeCharge(txid)
        if (removed.kind === 'absent') return done('The bank has no such charge.')
        if (removed.kind !== 'done') return failed(removed)
        const { state } = removed.value
        return state === 'removed'
          ? done('The bank removed the charge.')
          : { isDone: false, detail: `The charge is ${state}. Check it on the bank's own site.` }
      },
    },
  ]
}

/** Gets an access token, which shows that certificate and client are registered. */
export function signInStep(
  client: Pick<AuthorizedClient, 'signIn'>,
  failed: (answer: Failure) => StepResult,
  text = 'Sign in',
): AccountTestStep {
  return {
    text,
    async run() {
      const failure = await client.signIn()
      return failure === undefined
        ? done('The bank accepted the certificate and the client, and gave an access token.')
        : failed(failure)
    },
  }
}

/** A message if the bank's clock and ours differ, by the end of a new charge. */
function clockDifference({ expiresAtMs }: PixApiCharge, nowMs: number) {
  if (expiresAtMs === undefined) return undefined
  const aheadMs = expiresAtMs - LIFETIME_MS - nowMs
  if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_MAX_MS) return undefined
  const difference = `${Math.round(Math.abs(aheadMs) / MINUTE_MS)} minutes`
  const way = aheadMs > 0 ? 'ahead of' : 'behind'
  return {
    isDone: false,
    detail: `The bank's clock is ${difference} ${way} this machine's, so payments may be found a day late. Set this machine's clock by NTP; if it is right, tell the bank.`,
  }
}

export type Failure = Exclude<PixApiAnswer<unknown>, { readonly kind: 'done' }>

export interface FailureContext extends Pick<PixApiProfile, 'bank'> {
  /** The object of the request: `charge` */
  readonly object: string
  /** The setting to check if the bank refuses: `the PIX key` */
  readonly toCheck: string
  readonly scopes: string
}

const CHARGES = { object: 'charge', toCheck: 'the PIX key', scopes: SCOPES } as const

/** The failure, and what to do. */
export function sentenceOf(
  answer: Failure,
  { bank, object, scopes, toCheck }: FailureContext,
): string {
  switch (answer.kind) {
    case 'absent':
      return `The bank does not know the ${object}. Open one again.`
    case 'refused':
      return `${bank} refused it (${answer.detail}). Check ${toCheck}.`
    case 'unknown':
      return `The outcome is unknown (${answer.detail}). Run the test again.`
    case 'not-sent': {
      const [happened, todo] = ADVICE[answer.reason]
      const scope = answer.reason === 'forbidden' ? ` ${scopes}` : ''
      return `${happened} (${answer.detail}). ${todo}${scope}.`
    }
  }
}

const NETWORK = 'Check the network and the firewall'
const CERTIFICATE = 'the certificate is registered for this client'

const ADVICE: Readonly<Record<PixApiReason, readonly [happened: string, todo: string]>> = {
  budget_spent: ['Too many calls were made', 'Try again in a minute'],
  paused_by_provider: ['The bank asks for a pause', 'Try again later'],
  no_connection: ['The bank was not reached', NETWORK],
  connect_timeout: ['The bank was not reached in time', NETWORK],
  server_not_trusted: [
    'The certificate of the bank is not trusted',
    "Check this machine's clock and authorities, and whether something intercepts its connections",
  ],
  certificate_expired: [
    'The certificate has expired',
    'Ask the bank for a new one, then run `cofre account rotate`',
  ],
  certificate_refused: ['The bank refused the certificate', `Ask it whether ${CERTIFICATE}`],
  credentials_refused: [
    'The bank refused the client',
    `Check the client id and the secret, and whether ${CERTIFICATE}. Then run \`cofre account rotate\``,
  ],
  forbidden: ['The bank does not permit this to this client', 'Ask it for the scopes'],
  // Some banks silently end the connection of an unknown certificate.
  token_unavailable: [
    'The bank gave no access token',
    `Try again later. If that does not help, ask the bank whether ${CERTIFICATE}`,
  ],
  request_invalid: ['The call cannot be made', 'Report it: this is an error in Cofre'],
}
