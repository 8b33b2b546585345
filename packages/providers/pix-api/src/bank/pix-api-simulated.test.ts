import path from 'node:path'
import { DAY_MS, MED_NATURES, MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { PixChargeOrder } from '@cofre/provider-kit/bank'
import type { Call } from '@cofre/provider-kit/simulator'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { endCalls, stopCallTime } from '../../../../provider-kit/test/call-time.js'
import { openReceiver } from '../../test/simulated-bank.js'
import { SHARED_FOLDER } from '../../../../provider-kit/test/simulator-parts.js'
import { PIX_KEY, txidOf } from '../../test/accounts.js'
import {
  type SimulatedBank,
  type SimulatedBankSetup,
  MANNERS,
  type StrangeAnswer,
  TOKEN_LIFETIME_S,
  openSimulatedBank,
} from './simulated-bank.fixture.js'
import type { PixApiProfileName } from './pix-api-profiles.js'

let at: SimulatedBank
const open = async (profile: PixApiProfileName, setup: Partial<SimulatedBankSetup> = {}) => {
  at = await openSimulatedBank(profile, { folder: path.join(SHARED_FOLDER, 'pix-api'), ...setup })
  return at
}
afterEach(async () => {
  await at.close()
  expect(at.objections).toEqual([])
  for (const secret of [...at.secrets, 'PRIVATE KEY', order.payerDocument, PIX_KEY])
    expect(at.connection.logged.join()).not.toContain(secret)
})

const txid = txidOf(5)
const order: PixChargeOrder = {
  txid,
  amountMinor: minorUnits(12_990),
  lifetimeSeconds: 1800,
  payerName: 'Ana Souza',
  payerDocument: '52998224725',
  description: 'Pedido 1042',
}

const PROFILES = Object.keys(MANNERS) as PixApiProfileName[]
const isPut = (path: RegExp) => (call: Call) => call.method === 'PUT' && path.test(call.path)
const isCharge = isPut(/\/cob\//)
const isToken = ({ path }: Call): boolean => path.endsWith('token')
const isApi = (call: Call): boolean => !isToken(call)
const charges = (): number => at.bank.book.charges.size
const refunds = (): unknown[] =>
  [...at.bank.book.payments.values()].flatMap((payment) =>
    payment.refunds.map(({ amountMinor }) => amountMinor),
  )
/** Opens and pays a charge, and returns its payment's id. */
async function paid(): Promise<string> {
  expect(await at.connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
  return at.bank.controls.pay(txid).endToEndId
}

describe.each(PROFILES)('%s', (profile) => {
  it('charges, reads, refunds, lists and removes, as the official document has it', async () => {
    const { bank, calls, clock, connection, judged } = await open(profile)
    const { pix } = connection
    const opened = await pix.openCharge(order)
    expect(opened).toMatchObject({ kind: 'done', value: { state: 'open', amountMinor: 12_990 } })
    expect(await pix.findCharge(txid, 'payer-waits')).toEqual(opened)
    const { endToEndId } = bank.controls.pay(txid)
    expect(await pix.findCharge(txid, 'background')).toMatchObject({
      value: { state: 'paid', payments: [{ endToEndId, amountMinor: 12_990, refunds: [] }] },
    })
    const refund = { endToEndId, refundId: 'r1', amountMinor: minorUnits(990) }
    expect(await pix.refund(refund)).toMatchObject({ kind: 'done', value: { state: 'in-process' } })
    expect(await pix.findRefund(refund)).toMatchObject({ value: { state: 'returned' } })
    const period = { fromMs: clock.now() - 60_000, toMs: clock.now() + 1 }
    expect(await pix.listPayments(period, 0)).toMatchObject({
      kind: 'done',
      value: { payments: [{ endToEndId, txid, refunds: [{ id: 'r1', state: 'returned' }] }] },
    })
    const other = txidOf(6)
    await pix.openCharge({ ...order, txid: other })
    expect(await pix.removeCharge(other)).toMatchObject({ value: { state: 'removed' } })
    // All except the token request.
    expect([calls.length, judged.length]).toEqual([9, 8])
  })

  it('reads the reason of a refund by MED, as every bank reports since 2 February 2026', async () => {
    const { bank, connection } = await open(profile)
    const endToEndId = await paid()
    for (const nature of MED_NATURES)
      bank.controls.refundAtBank(endToEndId, { amountMinor: minorUnits(100), nature })
    const { pix } = connection
    expect(await pix.findCharge(txid, 'background')).toMatchObject({
      value: { payments: [{ refunds: MED_NATURES.map((nature) => ({ nature })) }] },
    })
  })

  it('passes the test of an account, step by step, and leaves no charge behind', async () => {
    const { bank, connection } = await open(profile, {
      answers: { testPayerDocument: order.payerDocument },
    })
    for (const step of connection.steps) expect(await step.run()).toMatchObject({ isDone: true })
    const opened = [...bank.book.charges.values()].map(({ revisions }) =>
      revisions.map(({ status }) => status),
    )
    const removed = ['ATIVA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR']
    expect(opened).toEqual([removed, removed])
  })

  it.each(['checked', 'unchecked'] as const)(
    'registers an address whose callers’ certificates are %s, and is notified of a payment',
    async (bankCertificate) => {
      const webhookHandshake = profile === 'efi' ? 'efi' : 'none'
      const { bank, connection, running } = await open(profile, { webhookHandshake })
      const certificates = bankCertificate === 'checked' ? 'demanded' : 'ignored'
      const receiver = await openReceiver(running, { certificates })
      const address = { url: receiver.url, others: 'keep', bankCertificate } as const
      expect(await connection.notices.register(address)).toEqual({ kind: 'done' })
      expect(await connection.notices.register(address)).toEqual({ kind: 'done' })
      await paid()
      await bank.notices.settled()
      const notice = receiver.received.at(-1)
      expect(notice?.path).toBe(`${new URL(receiver.url).pathname}/pix`)
      expect(connection.notices.namesIn(notice?.body)).toEqual([txid])
      const another = { ...address, url: `${receiver.url}/other` }
      expect(await connection.notices.register(another)).toMatchObject({ kind: 'occupied' })
      expect(await connection.notices.remove(receiver.url)).toEqual({ kind: 'done' })
      await receiver.close()
    },
  )
})

// One profile for each way of requesting a token.
describe.each(['efi', 'sicoob'] as const)('%s, of a certificate', (profile) => {
  it.each([
    ['anothers', /credentials|401/, 'refused the client'],
    ['unknown', /token request/, 'the certificate is registered'],
  ] as const)(
    'reports that the certificate is %s, and makes no charge',
    async (certificate, detail, said) => {
      const { connection } = await open(profile, { certificate })
      const [signIn] = connection.steps
      expect(await signIn?.run()).toMatchObject({
        isDone: false,
        detail: expect.stringContaining(said) as string,
      })
      expect(await connection.pix.openCharge(order)).toMatchObject({
        kind: 'not-sent',
        detail: expect.stringMatching(detail) as string,
      })
    },
  )
})

// Efí grants the available scopes; Banco do Brasil requires requested ones.
describe.each(['efi', 'bb'] as const)('%s, of scopes', (profile) => {
  it('charges with fewer scopes than requested, and names the missing permission', async () => {
    const scopes = ['cob.read', 'cob.write', 'pix.read', 'pix.write'] as const
    const { connection } = await open(profile, { scopes })
    expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
    const url = 'https://notices.example.com/notices/1/2'
    const address = { url, others: 'keep', bankCertificate: 'checked' } as const
    expect(await connection.notices.register(address)).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('webhook.read') as string,
    })
  })
})

// The connector handles answers alike at each bank.
describe('a bank that fails', () => {
  it.each(['before', 'after'] as const)(
    'charges once when the connection is cut %s the bank books',
    async (when) => {
      const { bank, connection } = await open('efi')
      bank.disturbances.add({ effect: { kind: 'cut', when }, on: isCharge })
      expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
      expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
      expect(charges()).toBe(1)
    },
  )

  it.each(['before', 'after'] as const)(
    'refunds once when the connection is cut %s the bank books',
    async (when) => {
      const { bank, connection } = await open('efi')
      const refund = { endToEndId: await paid(), refundId: 'r1', amountMinor: minorUnits(990) }
      bank.disturbances.add({ effect: { kind: 'cut', when }, on: isPut(/\/devolucao\//) })
      expect(await connection.pix.refund(refund)).toMatchObject({ kind: 'done' })
      expect(await connection.pix.refund(refund)).toMatchObject({ kind: 'done' })
      expect(refunds()).toEqual([990])
    },
  )

  it('charges and refunds once when every answer is late', async () => {
    const { bank, connection } = await open('efi')
    onTestFinished(stopCallTime())
    const late = { kind: 'late', delayMs: 400 } as const
    bank.disturbances.add({ effect: late, on: isCharge })
    const opening = connection.pix.openCharge(order)
    await expect.poll(charges).toBe(1)
    endCalls()
    expect(await opening).toMatchObject({ kind: 'done' })
    const { endToEndId } = bank.controls.pay(txid)
    const refund = { endToEndId, refundId: 'r1', amountMinor: minorUnits(990) }
    bank.disturbances.add({ effect: late, on: isPut(/\/devolucao\//) })
    const refunding = connection.pix.refund(refund)
    await expect.poll(refunds).toEqual([990])
    endCalls()
    expect(await refunding).toMatchObject({ kind: 'done' })
    expect([charges(), refunds()]).toEqual([1, [990]])
  })

  it.each<[string, Omit<StrangeAnswer, 'on' | 'times'>, string, RegExp]>([
    ['401', { status: 401, body: '{"error":"invalid_token"}' }, 'not-sent', /401.*invalid_token/],
    ['403', { status: 403, body: '{"type":"x/AcessoNegado"}' }, 'not-sent', /403.*AcessoNegado/],
    ['429', { status: 429, headers: { 'Retry-After': '7' } }, 'not-sent', /429/],
    ['500', { status: 500, body: '{}' }, 'unknown', /status 500/],
    ['503', { status: 503, headers: { 'Retry-After': '7' } }, 'unknown', /status 503/],
    ['HTML', { status: 200, body: '<html>Manutenção</html>' }, 'unknown', /cannot be read/],
    ['10 MB', { status: 201, body: ' '.repeat(10 * 1024 ** 2) }, 'unknown', /cannot be read/],
    ['400', { status: 400, body: '{"detail":"chave"}' }, 'unknown', /status 400: chave/],
  ])(
    'opens no charge while the bank answers with %s, and then it does',
    async (_, answer, kind, detail) => {
      const { bank, clock, connection } = await open('efi')
      at.answer({ ...answer, on: isApi, times: 9 })
      const failed = await connection.pix.openCharge(order)
      expect(failed).toMatchObject({ kind, detail: expect.stringMatching(detail) as string })
      expect(charges()).toBe(0)
      bank.disturbances.clear()
      if ('retryAfterMs' in failed) {
        expect(failed.retryAfterMs).toBe(7000)
        expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'not-sent' })
      }
      clock.advance(7000)
      expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
      expect(charges()).toBe(1)
    },
  )

  it.each<[string, Omit<StrangeAnswer, 'on' | 'times'>, RegExp]>([
    ['401', { status: 401, body: '{"error":"invalid_client"}' }, /401.*invalid_client/],
    ['403', { status: 403 }, /status 403/],
    ['429', { status: 429, headers: { 'Retry-After': '7' } }, /status 429/],
    ['500', { status: 500 }, /status 500/],
    ['HTML', { status: 200, body: '<html>Manutenção</html>' }, /token request/],
    ['10 MB', { status: 200, body: ' '.repeat(10 * 1024 ** 2) }, /token request/],
    ['JSON without a token', { status: 200, body: '{}' }, /token request/],
  ])('asks for nothing while the token request is answered with %s', async (_, answer, detail) => {
    const { bank, calls, clock, connection } = await open('efi')
    at.answer({ ...answer, on: isToken, times: 9 })
    const failed = await connection.pix.openCharge(order)
    expect(failed).toMatchObject({
      kind: 'not-sent',
      detail: expect.stringMatching(detail) as string,
    })
    expect(calls.length).toBe(1)
    bank.disturbances.clear()
    clock.advance(7000)
    expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
  })

  it.each(['before', 'after'] as const)(
    'asks for nothing when the token request is cut %s the bank answers',
    async (when) => {
      const { bank, connection } = await open('efi')
      bank.disturbances.add({ effect: { kind: 'cut', when }, on: isToken })
      expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'not-sent' })
      expect(charges()).toBe(0)
      expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
    },
  )

  it.each([
    [
      'revoked',
      (): void => {
        at.bank.tokens.revokeAll()
      },
    ],
    [
      'expired',
      (): void => {
        at.clock.advance(TOKEN_LIFETIME_S * 1000)
      },
    ],
  ])('renews a token that is %s, once', async (_, end) => {
    const { calls, connection } = await open('efi')
    await connection.pix.openCharge(order)
    end()
    expect(await connection.pix.findCharge(txid, 'background')).toMatchObject({ kind: 'done' })
    expect(calls.filter((call) => call.includes('token'))).toHaveLength(2)
  })

  it.each([-5, 5])('works with a clock that is %i minutes wrong', async (minutes) => {
    const { clock, connection } = await open('efi', {
      clockOf: (bank) => ({ now: () => bank.now() + minutes * MINUTE_MS }),
    })
    const opened = await connection.pix.openCharge(order)
    // The bank's own time decides the end of its charge.
    expect(opened).toMatchObject({ value: { expiresAtMs: clock.now() + 1_800_000 } })
    for (let past = 0; past <= TOKEN_LIFETIME_S; past += 300) {
      clock.advance(5 * MINUTE_MS)
      expect(await connection.pix.findCharge(txid, 'background')).toMatchObject({ kind: 'done' })
    }
    const refund = { endToEndId: at.bank.controls.pay(txid).endToEndId, refundId: 'r1' }
    const amountMinor = minorUnits(1)
    expect(await connection.pix.refund({ ...refund, amountMinor })).toMatchObject({ kind: 'done' })
  })

  it('is unavailable from the end of its certificate on, with the day it ended', async () => {
    const { clock, connection } = await open('efi')
    await connection.pix.openCharge(order)
    clock.advance(20 * 365 * DAY_MS)
    const detail = expect.stringMatching(/certificate expired on \d{4}-\d\d-\d\d/) as string
    expect(await connection.pix.findCharge(txid, 'background')).toMatchObject({
      kind: 'not-sent',
      detail,
    })
  })

  it('reads a charge with new fields and a state that is not known', async () => {
    const { connection } = await open('efi')
    await connection.pix.openCharge(order)
    const body = {
      txid,
      status: 'EM_ANALISE',
      calendario: { criacao: '2026-11-22T12:00:00Z', expiracao: 1800, novo: true },
      valor: { original: '129.90' },
      novo: [1],
    }
    at.answer({ status: 200, body: JSON.stringify(body), on: isApi })
    expect(await connection.pix.findCharge(txid, 'background')).toMatchObject({
      value: { state: 'not-known' },
    })
  })
})

it('charges again when a bank that was away is back', async () => {
  const { connection, running } = await open('efi')
  await running.stop()
  expect(await connection.pix.openCharge(order)).toMatchObject({
    kind: 'not-sent',
    detail: expect.stringContaining('ECONNREFUSED') as string,
  })
  await open('efi', { apiPort: running.apiPort })
  expect(await connection.pix.openCharge(order)).toMatchObject({ kind: 'done' })
  await connection.close()
})
