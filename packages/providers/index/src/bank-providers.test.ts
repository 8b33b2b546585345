import { ACCOUNT_METHODS, AccountError, type ProviderAccount } from '@cofre/provider-kit/account'
import { type Log, Secret, minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { authority, startHttpsServer } from '../../../provider-kit/test/https-server.js'
import { answersFor, clock, txidOf } from '../../pix-api/test/accounts.js'
import { exampleBank } from '../test/example-bank/example-bank.js'
import type { BankProvider } from '@cofre/provider-kit/bank'
import { loadBanks } from './index.js'

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const tools = { clock, log, randomBelow: () => 0 }
/** The registry with one more entry. */
const providers: readonly BankProvider[] = [...(await loadBanks()), exampleBank]
const profiles = providers.flatMap((provider) =>
  provider.profiles.map(({ name, kinds }) => ({ provider, name, kinds, of: provider.name })),
)
const ANSWERS = {
  ...answersFor('efi'),
  applicationKey: 'key',
  name: 'Loja',
  city: 'São Paulo',
  key: new Secret('key-of-the-example'),
}
/** Answers of questions that differ by profile. */
const OF_FILES = {
  agency: '3166-1',
  accountNumber: '84725-6',
  agreement: '67261',
  wallet: '09',
  receiverDocument: '11222333000181',
}

/** Only the requested answers. */
function answers(provider: BankProvider, profile: string) {
  const asked = provider.questions(profile).map(({ name }) => name)
  const known = provider.answersByFile ? { ...ANSWERS, ...OF_FILES } : ANSWERS
  return Object.fromEntries(Object.entries(known).filter(([name]) => asked.includes(name)))
}

describe('the registry', () => {
  it('names each provider and each of its profiles once', () => {
    const names = providers.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(profiles.map(({ of, name }) => `${of} ${name}`)).size).toBe(profiles.length)
    for (const { methods } of providers)
      for (const method of methods) expect(ACCOUNT_METHODS).toContain(method)
  })
})

describe.each(profiles)('$of, profile $name', ({ provider, name: profile, kinds }) => {
  const [kind = 'live'] = kinds
  const entry = { profile, kind, nowMs: clock.now() }

  it('asks for each answer once, with a text and a help', () => {
    const questions = provider.questions(profile)
    expect(new Set(questions.map(({ name }) => name)).size).toBe(questions.length)
    for (const { text, help } of questions) expect([text, help]).not.toContain('')
  })

  it('makes an account of the answers, whose settings hold nothing secret', () => {
    const read = provider.readAccount({ ...entry, answers: answers(provider, profile) })
    expect(JSON.parse(read.credentials.reveal())).toBeTypeOf('object')
    const secrets = Object.values(ANSWERS).filter((answer) => answer instanceof Secret)
    for (const secret of secrets)
      expect(JSON.stringify(read.settings)).not.toContain(secret.reveal())
  })

  it('finds the answers in the settings, and no secret', () => {
    const given = answers(provider, profile)
    const { settings } = provider.readAccount({ ...entry, answers: given })
    for (const { answerIn, kind: shape, name } of provider.questions(profile))
      if (answerIn !== undefined) expect([shape, answerIn(settings)]).toEqual(['text', given[name]])
  })

  it('names the question whose answer is missing', () => {
    for (const { name } of provider.questions(profile).filter((one) => !one.isOptional)) {
      const given = Object.entries(answers(provider, profile))
      const rest = Object.fromEntries(given.filter(([answer]) => answer !== name))
      const read = () => provider.readAccount({ ...entry, answers: rest })
      expect(read).toThrow(AccountError)
      expect(read).toThrow(expect.objectContaining({ question: name }) as Error)
    }
  })

  it('does not know another profile', () => {
    const read = () => provider.readAccount({ ...entry, profile: 'other', answers: {} })
    expect(read).toThrow(expect.objectContaining({ question: 'profile' }) as Error)
  })
})

describe('a provider of one folder', () => {
  it('charges through the gateway’s port with nothing besides the registry’s line', async () => {
    const charges = new Map<string, unknown>()
    const server = await startHttpsServer((request, response) => {
      const txid = request.url?.split('/').at(-1) ?? ''
      const isPut = request.method === 'PUT'
      if (isPut) charges.set(txid, { cents: 12_990, state: 'open', code: '0002…' })
      request.resume()
      const status = charges.has(txid) && request.headers['api-key'] !== undefined ? 200 : 404
      response.writeHead(status).end(JSON.stringify(charges.get(txid) ?? {}))
    })
    const provider = providers.find(({ name }) => name === 'example-bank')
    const made = provider?.readAccount({
      profile: 'example',
      kind: 'simulator',
      nowMs: clock.now(),
      answers: answers(exampleBank, 'example'),
    })
    const account = {
      id: 'acc_3',
      kind: 'simulator',
      provider: 'example-bank',
      settings: made?.settings,
      secrets: { credentials: made?.credentials },
    } as ProviderAccount
    const simulator = { origin: server.origin, caPem: authority.certificatePem }
    const connection = provider?.connect(account, { ...tools, simulator })
    const txid = txidOf(1)
    const order = { txid, amountMinor: minorUnits(12_990), lifetimeSeconds: 60 }
    const payer = { payerName: 'Ana', payerDocument: '52998224725', description: 'Pedido' }
    expect(await connection?.pix?.findCharge(txid, 'background')).toEqual({ kind: 'absent' })
    expect(await connection?.pix?.openCharge({ ...order, ...payer })).toMatchObject({
      kind: 'done',
    })
    expect(await connection?.steps[0]?.run()).toMatchObject({ isDone: true })
    await connection?.close()
    await server.close()
  })
})
