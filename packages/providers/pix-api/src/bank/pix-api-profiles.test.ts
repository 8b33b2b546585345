import { minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PIX_KEY, connect, storedAccount, txidOf } from '../../test/accounts.js'
import { type JudgingBank, startJudgingBank } from '../../test/judging-bank.js'
import { hostsOf } from './pix-api-account.js'
import { PIX_API_PROFILES, type PixApiProfileName } from './pix-api-profiles.js'

let server: JudgingBank
beforeEach(async () => {
  server = await startJudgingBank()
})
afterEach(async () => {
  await server.close()
  expect(server.objections).toEqual([])
})

const ID = 'Client_Id_1'
const SECRET = 's3cr3t-of-the-client'
const SCOPE = 'cob.write+cob.read+pix.write+pix.read+webhook.write+webhook.read'
const BASIC = `Basic ${Buffer.from(`${ID}:${SECRET}`).toString('base64')}`
const FORM = 'application/x-www-form-urlencoded'
const GRANT = 'grant_type=client_credentials'
const txid = txidOf(0)

interface Expected {
  readonly token: string
  readonly tokenType: string
  readonly tokenBody: string
  readonly authorization: string | undefined
  readonly charge: string
  readonly payments: string
  readonly headers: Readonly<Record<string, string>>
}

/** Each bank's facts in connectors.md, section 1.5. */
const BANKS: readonly (readonly [PixApiProfileName, Expected])[] = [
  [
    'efi',
    {
      token: 'https://pix.api.efipay.com.br/oauth/token',
      tokenType: 'application/json',
      tokenBody: '{"grant_type":"client_credentials"}',
      authorization: BASIC,
      charge: 'https://pix.api.efipay.com.br/v2/cob/',
      payments: 'https://pix.api.efipay.com.br/v2/pix',
      headers: {},
    },
  ],
  [
    'bb',
    {
      token: 'https://oauth.bb.com.br/oauth/token',
      tokenType: FORM,
      tokenBody: `scope=${SCOPE}&${GRANT}`,
      authorization: BASIC,
      charge: 'https://api.bb.com.br/pix/v2/cob/',
      payments: 'https://api.bb.com.br/pix/v2/pix',
      headers: { 'gw-dev-app-key': 'k3y-of-the-application' },
    },
  ],
  [
    'inter',
    {
      token: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
      tokenType: FORM,
      tokenBody: `scope=${SCOPE}&${GRANT}&client_id=${ID}&client_secret=${SECRET}`,
      authorization: undefined,
      charge: 'https://cdpj.partners.bancointer.com.br/pix/v2/cob/',
      payments: 'https://cdpj.partners.bancointer.com.br/pix/v2/pix',
      headers: {},
    },
  ],
  [
    'itau',
    {
      token: 'https://sts.itau.com.br/api/oauth/token',
      tokenType: FORM,
      tokenBody: `${GRANT}&client_id=${ID}&client_secret=${SECRET}`,
      authorization: undefined,
      charge: 'https://secure.api.itau/pix_recebimentos/v2/cob/',
      payments: 'https://secure.api.itau/pix_recebimentos/v2/pix',
      headers: { 'x-itau-apikey': ID },
    },
  ],
  [
    'santander',
    {
      token: `https://trust-pix.santander.com.br/oauth/token?${GRANT}`,
      tokenType: FORM,
      tokenBody: `client_id=${ID}&client_secret=${SECRET}`,
      authorization: undefined,
      charge: 'https://trust-pix.santander.com.br/api/v1/cob/',
      payments: 'https://trust-pix.santander.com.br/api/v1/pix',
      headers: { 'x-application-key': ID },
    },
  ],
  [
    'sicoob',
    {
      token: 'https://auth.sicoob.com.br/auth/realms/sicoob/protocol/openid-connect/token',
      tokenType: FORM,
      tokenBody: `scope=${SCOPE}&${GRANT}&client_id=${ID}`,
      authorization: undefined,
      charge: 'https://api.sicoob.com.br/pix/api/v2/cob/',
      payments: 'https://api.sicoob.com.br/pix/api/v2/pix',
      headers: { client_id: ID },
    },
  ],
  [
    'sicredi',
    {
      token: 'https://api-pix.sicredi.com.br/oauth/token',
      tokenType: FORM,
      tokenBody: `scope=${SCOPE}&${GRANT}`,
      authorization: BASIC,
      charge: 'https://api-pix.sicredi.com.br/api/v3/cob/',
      payments: 'https://api-pix.sicredi.com.br/api/v2/pix',
      headers: {},
    },
  ],
]

describe('a profile', () => {
  it('is there for each of the seven banks', () => {
    expect(BANKS.map(([name]) => name)).toEqual(Object.keys(PIX_API_PROFILES))
  })

  it.each(BANKS)(
    'of %s charges, refunds and lists in its bank’s way',
    async (profile, expected) => {
      const connection = connect(storedAccount(profile), server)
      const { pix } = connection
      const amountMinor = minorUnits(100)
      const payer = { payerName: 'Ana Souza', payerDocument: '52998224725' }
      const order = { txid, amountMinor, lifetimeSeconds: 60, ...payer, description: 'Pedido' }
      expect(await pix.openCharge(order)).toMatchObject({ kind: 'done' })
      const { endToEndId } = server.pay(txid)
      const refund = { endToEndId, refundId: '1', amountMinor: minorUnits(1) }
      expect(await pix.refund(refund)).toMatchObject({ kind: 'done' })
      expect(await pix.listPayments({ fromMs: 0, toMs: 1 }, 0)).toMatchObject({ kind: 'done' })
      await connection.close()

      // The simulator replaces the bank's host: the path is the bank's.
      const pathOf = (url: string): string => url.slice(new URL(url).origin.length)
      const [token] = server.tokenCalls
      expect(token?.path).toBe(pathOf(expected.token))
      expect(token?.headers['content-type']).toBe(expected.tokenType)
      expect(token?.headers.authorization).toBe(expected.authorization)
      expect(token?.body).toBe(expected.tokenBody)
      const [charge, refunded, list] = server.calls
      expect(charge?.path).toBe(`${pathOf(expected.charge)}${txid}`)
      expect(refunded?.path).toBe(`${pathOf(expected.payments)}/${endToEndId}/devolucao/1`)
      expect(list?.path.split('?')[0]).toBe(pathOf(expected.payments))
      for (const { headers } of server.calls) expect(headers).toMatchObject(expected.headers)
    },
  )

  it.each(BANKS)('of %s has its bank’s hosts', (profile, expected) => {
    const hosts = hostsOf(PIX_API_PROFILES[profile], 'live')
    expect(hosts?.token).toBe(expected.token)
    expect(expected.payments.startsWith(hosts?.api ?? '')).toBe(true)
  })

  it.each([
    ['efi', 'https://pix-h.api.efipay.com.br/v2'],
    ['bb', 'https://api.hm.bb.com.br/pix/v2'],
    ['inter', 'https://cdpj-sandbox.partners.uatinter.co/pix/v2'],
  ] as const)('of %s has a host for tests', (profile, api) => {
    expect(hostsOf(PIX_API_PROFILES[profile], 'test')?.api).toBe(api)
  })

  it('of Inter names the account where there are several', async () => {
    const account = storedAccount('inter', { answers: { accountNumber: '123456' } })
    const connection = connect(account, server)
    await connection.pix.findCharge(txid, 'background')
    expect(server.calls[0]?.headers['x-conta-corrente']).toBe('123456')
    expect(server.calls[0]?.path).not.toContain(PIX_KEY)
    await connection.close()
  })
})
