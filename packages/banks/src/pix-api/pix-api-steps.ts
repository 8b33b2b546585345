import type { AccountTestStep } from '@cofre/accounts'
import { MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { type PixTxid, drawTxid, payerCode } from '@cofre/gateway'
import type { AuthorizedClient } from '@cofre/outbound'
import type { BankTools } from '../model/bank-provider.js'
import type { PixApiBank } from './pix-api-bank.js'
import type { PixApiAnswer, UnavailableReason } from './pix-api-calls.js'
import { type PixApiProfile, SCOPES } from './pix-api-profiles.js'

const ONE_CENTAVO = minorUnits(1)
const LIFETIME_SECONDS = (10 * MINUTE_MS) / SECOND_MS

export interface TestedAccount {
  readonly profile: PixApiProfile
  readonly client: AuthorizedClient
  readonly bank: PixApiBank
  readonly randomBelow: BankTools['randomBelow']
}

const done = (said: string) => ({ isDone: true, said })

/** What `cofre account test` does at a bank: nobody pays, and nothing is left behind. */
export function createPixApiSteps(account: TestedAccount): readonly AccountTestStep[] {
  const { bank, client } = account
  let txid: PixTxid | undefined
  const failed = (answer: Failure) => ({ isDone: false, said: sentenceOf(answer, account.profile) })
  return [
    {
      text: 'Sign in',
      async run() {
        const failure = await client.signIn()
        return failure === undefined
          ? done('The bank accepted the certificate and the client, and gave an access token.')
          : failed({ ...failure, kind: 'unavailable' })
      },
    },
    {
      text: 'Open a charge of R$ 0.01',
      async run() {
        const drawn = drawTxid(account.randomBelow)
        const opened = await bank.openCharge({
          txid: drawn,
          amountMinor: ONE_CENTAVO,
          lifetimeSeconds: LIFETIME_SECONDS,
          description: 'Cofre: account test',
        })
        if (opened.kind === 'done' || opened.kind === 'unknown') txid = drawn
        return opened.kind === 'done' ? done(`The bank opened charge ${drawn}.`) : failed(opened)
      },
    },
    {
      text: 'Read the charge',
      async run() {
        if (txid === undefined)
          return { isDone: false, said: 'There is no charge of this test. Open one first.' }
        const found = await bank.findCharge(txid, 'payer-waits')
        if (found.kind !== 'done') return failed(found)
        const shown = payerCode(found.value, bank.receiver)
        if (shown.kind === 'contradiction')
          return {
            isDone: false,
            said: `No payer may see its PIX code: ${shown.detail}. Ask the bank.`,
          }
        return done(`The charge is ${found.value.state}, and its PIX code fits it.`)
      },
    },
    {
      text: 'Remove the charge',
      isCleanup: true,
      async run() {
        if (txid === undefined) return done('There is none to remove.')
        const removed = await bank.removeCharge(txid)
        if (removed.kind === 'absent') return done('The bank has no such charge.')
        if (removed.kind !== 'done') return failed(removed)
        const { state } = removed.value
        return state === 'removed'
          ? done('The bank removed the charge.')
          : { isDone: false, said: `The charge is ${state}. Look at it in the bank's own pages.` }
      },
    },
  ]
}

type Failure = Exclude<PixApiAnswer<unknown>, { readonly kind: 'done' }>

/** What happened, and what to do. */
function sentenceOf(answer: Failure, { bank }: PixApiProfile): string {
  switch (answer.kind) {
    case 'absent':
      return 'The bank does not know the charge. Open one again.'
    case 'refused':
      return `${bank} refused it (${answer.detail}). Check the PIX key.`
    case 'unknown':
      return `Nobody knows whether it was done (${answer.detail}). Run the test again.`
    case 'unavailable': {
      const [happened, todo] = ADVICE[answer.reason]
      return `${happened} (${answer.detail}). ${todo}.`
    }
  }
}

const NETWORK = 'Check the network and the firewall'
const CERTIFICATE = 'the certificate is registered for this client'

const ADVICE: Readonly<Record<UnavailableReason, readonly [happened: string, todo: string]>> = {
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
  forbidden: ['The bank does not let this client do that', `Ask it for the scopes ${SCOPES}`],
  // Some banks end the connection of a certificate that they do not know, without a word.
  token_unavailable: [
    'The bank gave no access token',
    `Try again later. If it stays so, ask the bank whether ${CERTIFICATE}`,
  ],
  request_invalid: ['The call cannot be made', 'Report it: this is an error in Cofre'],
}
