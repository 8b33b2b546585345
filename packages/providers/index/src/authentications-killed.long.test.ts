// Long: kills a process at each of its moments. Two vaults, each a separate process, share one
// PostgreSQL and the simulated Adyen: one is killed while it completes a charge with a payer's
// result.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CardAnswer,
  type CardChange,
  MINUTE_MS,
  minorUnits,
  paymentReference,
} from '@cofre/contracts'
import { queryPostgres, testPostgres } from '@cofre/sql/testing'
import { generateKeyRing } from '@cofre/vault'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { answerChallenge } from '../../adyen/src/simulator/challenges.js'
import { CHALLENGED_CARD } from '../../adyen/src/simulator/outcomes.js'
import { storeAccounts } from '../test/stored-account.js'
import { VaultProcess } from '../test/vault-process.js'

const SERVER = await testPostgres()
const STORE = 'adyen'
const MOMENTS = ['asked, not booked', 'asked and booked', 'answered'] as const

const url = new URL(SERVER)
url.pathname = `asked_${randomUUID().replaceAll('-', '')}`
let adyen: TestAdyen
let one: VaultProcess
let two: VaultProcess
let aheadMs = 0

beforeAll(async () => {
  await queryPostgres(SERVER, `create database ${url.pathname.slice(1)}`)
  adyen = await openTestAdyen()
  const keys = generateKeyRing()
  await addAccount(keys)
  const simulator = { origin: `https://127.0.0.1:${adyen.apiPort}`, caPem: adyen.authority }
  const settings = { url: url.href, keys, simulators: { adyen: simulator } }
  one = new VaultProcess(settings)
  two = new VaultProcess(settings)
  await Promise.all([one.start(0), two.start(0)])
})
afterAll(async () => {
  await Promise.all([one.kill(), two.kill(), adyen.close()])
  await queryPostgres(SERVER, `drop database ${url.pathname.slice(1)} with (force)`)
})

async function addAccount(keys: string): Promise<void> {
  const { apiKey, hmacKey } = adyen.credentials
  const returnUrl = 'https://loja.example/volta'
  const answers = { merchantAccount: MERCHANT, returnUrl, apiKey, hmacKey }
  await storeAccounts({ url: url.href, keys }, { [STORE]: answers })
}

const keyOf = (index: number) =>
  ({ environment: 'production', transactionCode: String(200_000 + index) }) as const
const referenceOf = (index: number) => paymentReference({ installation: 'cofre', ...keyOf(index) })

async function payAndPass(index: number): Promise<string> {
  const answer = await one.ask<CardAnswer>('pay', {
    ...keyOf(index),
    merchantId: STORE,
    card: { number: CHALLENGED_CARD, cvv: '737', month: '03', year: '2030' },
    payerEmail: 'ana@example.com',
    payer: { name: 'Ana Souza', document: '12345678909', ip: '203.0.113.7' },
    amountMinor: minorUnits(12_990),
    installments: 1,
    saveCard: false,
    authenticationReturnUrl: 'https://pay.example/a/AbCdEfGhIjKlMnOp/return',
  })
  expect(answer).toMatchObject({ outcome: 'pending', authentication: {} })
  const { book, ledger } = adyen.adyen
  const { challenge } =
    [...book.payments.values()].find(({ reference }) => reference === referenceOf(index)) ?? {}
  answerChallenge(ledger, challenge?.id ?? '', 'passed')
  return challenge?.redirectResult ?? ''
}

it.each(MOMENTS.map((moment, index) => ({ moment, index })))(
  'a payer’s result charges once, and is reported once, when a vault is killed: $moment',
  async ({ moment, index }) => {
    const result = await payAndPass(index)
    const reached = Promise.withResolvers<undefined>()
    adyen.adyen.disturbances.add({
      effect:
        moment === 'asked, not booked'
          ? { kind: 'cut', when: 'before' }
          : { kind: 'late', delayMs: 0 },
      on({ path }) {
        const isOurs = path.endsWith('/details')
        if (isOurs) reached.resolve(undefined)
        return isOurs
      },
    })
    const asked = one.ask('authenticate', { ...keyOf(index), result })
    await reached.promise
    // Meanwhile the payer reloads the page, and another vault answers.
    const again = two.ask('authenticate', { ...keyOf(index), result })
    if (moment === 'answered') await sleep(10)
    await one.kill()
    await Promise.all([asked, again])
    adyen.adyen.disturbances.clear()
    await one.start(aheadMs)
    const notified: CardChange[] = []
    for (let round = 0; round < 3; round++) {
      aheadMs += 2 * MINUTE_MS
      await Promise.all([one, two].map((vault) => vault.ask('advance', 2 * MINUTE_MS)))
      await Promise.all([one, two].map((vault) => vault.ask('followUp')))
      for (const vault of [one, two]) {
        const changes = await vault.ask<CardChange[]>('changes')
        if (changes !== 'killed') notified.push(...changes)
      }
    }
    expect(adyen.adyen.tallyOf(referenceOf(index))).toMatchObject({
      charges: 1,
      chargedMinor: 12_990,
      refunds: 0,
      cancels: 0,
    })
    expect(await two.ask('authenticate', keyOf(index))).toMatchObject({ outcome: 'approved' })
    expect(notified).toMatchObject([
      { transactionCode: keyOf(index).transactionCode, change: { kind: 'settled' } },
    ])
  },
)
