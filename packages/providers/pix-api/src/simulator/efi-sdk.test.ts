import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLibrary } from '../../../../provider-kit/test/library-process.js'
import {
  CHARGE,
  DATED,
  PIX_KEY,
  type TestBank,
  openReceiver,
  openTestBank,
  txidOf,
} from '../../test/simulated-bank.js'

const HOST = 'pix-h.api.efipay.com.br'
const TXID = txidOf(1)

describe("Efí's own SDK, against the simulator", () => {
  let bank: TestBank
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let certificate: string
  let sdk: ReturnType<typeof startLibrary>
  beforeAll(async () => {
    bank = await openTestBank({ hosts: [HOST], webhookHandshake: 'efi' })
    receiver = await openReceiver(bank, { certificates: 'demanded' })
    await writeFile(path.join(bank.folder, 'trusted.pem'), bank.authority)
    certificate = path.join(bank.folder, 'efi.p12')
    await writeFile(certificate, pkcs12Of(bank), 'binary')
    const environ = {
      NODE_EXTRA_CA_CERTS: path.join(bank.folder, 'trusted.pem'),
      BANK_PORT: String(bank.apiPort),
    }
    sdk = startLibrary(
      new URL('../../test/efi-calls.mjs', import.meta.url),
      environ,
      new URL('../../test/redirect.mjs', import.meta.url),
    )
  })
  afterAll(async () => {
    await sdk.close()
    await receiver.close()
    await bank.close()
  })

  /** Every field of the SDK's answers is the bank's. */
  const call = async (calls: readonly (readonly unknown[])[], options: object = {}) => {
    const { clientId: client_id, clientSecret } = bank.credentials
    const client_secret = clientSecret?.reveal()
    const all = { sandbox: true, client_id, client_secret, certificate, ...options }
    return await sdk.call(all, calls)
  }

  it('completes charge, payment, refund and webhook', async () => {
    const [created, listed, registered] = await call([
      ['pixCreateCharge', { txid: TXID }, CHARGE],
      ['pixListCharges', { inicio: '2020-01-01T00:00:00Z', fim: '2100-01-01T00:00:00Z' }],
      ['pixConfigWebhook', { chave: PIX_KEY }, { webhookUrl: receiver.url }],
    ])
    expect(created).toMatchObject({ answer: { txid: TXID, status: 'ATIVA' } })
    expect(listed).toMatchObject({ answer: { cobs: [{ txid: TXID }] } })
    expect(registered).toEqual({ answer: { webhookUrl: receiver.url } })

    const { endToEndId: e2eId } = bank.bank.controls.pay(TXID)
    await bank.bank.notices.settled()
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      { evento: 'teste_webhook' },
      { pix: [{ endToEndId: e2eId, txid: TXID }] },
    ])

    const answers = await call([
      ['pixDetailCharge', { txid: TXID }],
      ['pixReceivedList', { inicio: '2020-01-01T00:00:00Z', fim: '2100-01-01T00:00:00Z' }],
      ['pixDetailReceived', { e2eId }],
      ['pixDevolution', { e2eId, id: 'r1' }, { valor: '29.90' }],
      ['pixDetailDevolution', { e2eId, id: 'r1' }],
      ['pixDetailWebhook', { chave: PIX_KEY }],
      ['pixListWebhook', { inicio: '2020-01-01T00:00:00Z', fim: '2100-01-01T00:00:00Z' }],
      ['pixDeleteWebhook', { chave: PIX_KEY }],
    ])
    expect(answers).toMatchObject([
      { answer: { status: 'CONCLUIDA', pix: [{ endToEndId: e2eId, valor: '129.90' }] } },
      { answer: { pix: [{ endToEndId: e2eId }] } },
      { answer: { endToEndId: e2eId, txid: TXID } },
      { answer: { id: 'r1', valor: '29.90', status: 'EM_PROCESSAMENTO' } },
      { answer: { id: 'r1', status: 'DEVOLVIDO' } },
      { answer: { webhookUrl: receiver.url } },
      { answer: { webhooks: [{ webhookUrl: receiver.url }] } },
      { answer: '' },
    ])
  })

  it('removes a charge, and gets refusals with their reasons', async () => {
    const txid = txidOf(2)
    const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
    const answers = await call([
      ['pixCreateCharge', { txid }, CHARGE],
      ['pixUpdateCharge', { txid }, removal],
      ['pixUpdateCharge', { txid }, removal],
      ['pixDetailCharge', { txid: txidOf(3) }],
    ])
    expect(answers).toMatchObject([
      { answer: { txid } },
      { answer: removal },
      { error: { status: 400, title: 'Operação inválida na cobrança.' } },
      { error: { status: 404, title: 'Cobrança não encontrada.' } },
    ])
  })

  it('completes a charge with a due date, paid late, and removes another', async () => {
    const [txid, other] = [txidOf(4), txidOf(5)]
    const range = { inicio: '2020-01-01T00:00:00Z', fim: '2100-01-01T00:00:00Z' }
    const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
    const made = await call([
      ['pixCreateDueCharge', { txid }, DATED],
      ['pixCreateDueCharge', { txid: other }, DATED],
      ['pixUpdateDueCharge', { txid: other }, removal],
      ['pixDetailDueCharge', { txid: txidOf(6) }],
    ])
    expect(made).toMatchObject([
      { answer: { txid, status: 'ATIVA', calendario: DATED.calendario, valor: DATED.valor } },
      { answer: { txid: other } },
      { answer: removal },
      { error: { status: 404, title: 'Cobrança com vencimento não encontrada.' } },
    ])
    const { endToEndId: e2eId } = bank.bank.controls.payLate(txid, 10)
    const componentesValor = { multa: { valor: '2.00' }, juros: { valor: '0.33' } }
    const answers = await call([
      ['pixDetailDueCharge', { txid }],
      ['pixListDueCharges', range],
      ['pixDetailReceived', { e2eId }],
    ])
    expect(answers).toMatchObject([
      { answer: { status: 'CONCLUIDA', pix: [{ valor: '102.33', componentesValor }] } },
      { answer: { cobs: [{ txid }, { txid: other }] } },
      { answer: { txid, valor: '102.33' } },
    ])
  })

  it('registers an address that does not check the certificate if its option allows that', async () => {
    const lax = await openReceiver(bank, { certificates: 'ignored' })
    const register = ['pixConfigWebhook', { chave: PIX_KEY }, { webhookUrl: lax.url }]
    expect(await call([register])).toMatchObject([{ error: { status: 400 } }])
    expect(await call([register], { validateMtls: false })).toMatchObject([
      { answer: { webhookUrl: lax.url } },
    ])
    await lax.close()
  })

  it('gets no token with a wrong secret', async () => {
    const calls = [['pixDetailCharge', { txid: TXID }]]
    const [refused] = await call(calls, { client_secret: 'guess' })
    expect(refused).toMatchObject({ error: { error: 'invalid_client' } })
  })
})

/** The client's certificate and key as Efí issues them: PKCS#12 without a password. */
function pkcs12Of({ credentials }: TestBank): string {
  const key = forge.pki.privateKeyFromPem(credentials.privateKey.reveal())
  const certificate = forge.pki.certificateFromPem(credentials.certificate)
  const container = forge.pkcs12.toPkcs12Asn1(key, [certificate], '', { algorithm: '3des' })
  return forge.asn1.toDer(container).getBytes()
}
