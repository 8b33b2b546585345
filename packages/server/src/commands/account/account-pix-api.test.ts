// `cofre account` with the real connector, at a simulated bank over real HTTPS.
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { loadBanks } from '@cofre/providers'
import { type BankProvider } from '@cofre/provider-kit/bank'
import { DAY_MS } from '@cofre/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../../../../provider-kit/test/certificates.js'
import {
  PIX_KEY,
  RECEIVER,
  type TestBank,
  openReceiver,
  openTestBank,
} from '../../../../providers/pix-api/test/simulated-bank.js'
import type { Finding } from '../../doctor/finding.js'
import { createInstallation } from './account.fixture.js'
import { needs } from '../../../../../test/needs.js'

const BANKS = await loadBanks()

/** Every provider with the simulated bank as its host. */
function simulatedBy({ apiPort, authority: caPem }: TestBank): readonly BankProvider[] {
  const simulator = { origin: `https://127.0.0.1:${apiPort}`, caPem }
  return BANKS.map((provider) => ({
    ...provider,
    connect: (account, tools) =>
      provider.connect({ ...account, kind: 'simulator' }, { ...tools, simulator }),
  }))
}

const ADD = 'account add --store loja --provider pix-api --profile efi --from answers.json'

async function installed() {
  const bank = await openTestBank({ webhookHandshake: 'efi' })
  onTestFinished(() => bank.close())
  const receiver = await openReceiver(bank, { certificates: 'demanded' })
  onTestFinished(async () => {
    await receiver.close()
  })
  const { origin } = new URL(receiver.url)
  const environ = { COFRE_PUBLIC_NOTICES_URL: origin }
  const installation = createInstallation({ banks: simulatedBy(bank) }, environ, {
    startMs: bank.clock.now(),
  })
  const { cofre: run, dataDir, write } = installation
  const { certificate, privateKey, clientId, clientSecret } = bank.credentials
  const secrets = [clientSecret?.reveal() ?? '', privateKey.reveal().slice(100, 150)]
  const answers = {
    pixKey: PIX_KEY,
    receiverName: RECEIVER.name,
    receiverCity: RECEIVER.city,
    clientId,
    clientSecret: secrets[0],
    certificate: 'certificate.pem',
    certificateKey: 'key.pem',
  }
  write('certificate.pem', certificate)
  write('key.pem', privateKey.reveal())
  const cofre = async (line: string) => {
    const ran = await run(line.replace('answers.json', `${dataDir}/answers.json`))
    for (const secret of secrets) expect(ran.output + ran.warnings).not.toContain(secret)
    return ran
  }
  const give = (changes: object = {}) =>
    write('answers.json', JSON.stringify({ ...answers, ...changes }))
  give()
  await cofre('store create loja')
  const added = async (options = '') =>
    (await cofre(`${ADD} --json${options}`)).json() as { id: string; noticeAddress: string }
  return { ...installation, run, added, answers, bank, cofre, give, receiver, secrets }
}

/** Problems that the doctor reports. */
async function problemsOf(cofre: (line: string) => Promise<{ json: () => unknown }>) {
  const findings = (await cofre('doctor --json')).json() as Finding[]
  return findings.filter(({ level }) => level === 'problem')
}

const webhookOf = (bank: TestBank) => bank.bank.book.webhooks.get(PIX_KEY)?.url
const chargesOf = (bank: TestBank) =>
  [...bank.bank.book.charges.values()].map(({ revisions }) => revisions.at(-1)?.status)

describe('cofre account at a bank of the API Pix', () => {
  it('adds an account, and has the bank send notices to its address', async () => {
    const { added, bank, receiver } = await installed()
    const { id, noticeAddress } = await added(' --register --bank-certificate checked')
    expect(webhookOf(bank)).toBe(noticeAddress)
    expect(noticeAddress).toContain(`/notices/${id}/`)
    expect(receiver.received.length).toBeGreaterThan(0)
  })

  it('keeps the registered address of another system, unless told to replace it', async () => {
    const { added, bank, cofre, receiver } = await installed()
    await bank.put(`/webhook/${encodeURIComponent(PIX_KEY)}`, { webhookUrl: receiver.url })
    const { id, noticeAddress } = await added()
    const kept = await cofre(`account notices ${id} --register --bank-certificate checked`)
    expect(kept.failed).toBe(true)
    expect(kept.output).toContain('NOT registered')
    expect(webhookOf(bank)).toBe(receiver.url)
    await cofre(`account notices ${id} --register --replace --bank-certificate checked`)
    expect(webhookOf(bank)).toBe(noticeAddress)
  })

  it('tests an account and leaves no charge behind, also when the bank fails in the middle', async () => {
    const { added, bank, cofre } = await installed()
    const { id } = await added()
    const passed = await cofre(`account test ${id} --yes`)
    expect(passed.output).toBe(`The account ${id} has passed its test.\n`)
    expect(chargesOf(bank)).toEqual(['REMOVIDA_PELO_USUARIO_RECEBEDOR'])
    const on = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && path.includes('/cob/')
    const effect = { kind: 'answer', status: 403, body: '{}' } as const
    bank.bank.disturbances.add({ on, effect })
    const failed = await cofre(`account test ${id} --yes`)
    expect(failed.failed).toBe(true)
    expect(failed.output).toContain('has failed its test. Read the charge: ')
    expect(chargesOf(bank)).toEqual(Array(2).fill('REMOVIDA_PELO_USUARIO_RECEBEDOR'))
    const [listed] = (await cofre('account list --json')).json() as { lastTest: object }[]
    expect(listed?.lastTest).toMatchObject({
      failure: expect.stringContaining('Read the charge') as string,
    })
  })

  it('serves boletos exactly while an order names it for them', async () => {
    const { added, bank, cofre, give } = await installed()
    give({ testPayerDocument: '52998224725' })
    const { id } = await added()
    const orderOf = async () =>
      ((await cofre('account list --json')).json() as { order: object }[])[0]?.order
    expect(await orderOf()).toEqual({ pix: 1 })
    const line = 'account order --store loja --method boleto'
    expect((await cofre(`${line} ${id}`)).output).toBe(
      `New charges of loja by boleto go to the first of these that is enabled: ${id}.\n`,
    )
    expect(await orderOf()).toEqual({ pix: 1, boleto: 1 })
    expect((await cofre(`account test ${id} --yes`)).failed).toBe(false)
    const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
    expect(chargesOf(bank)).toEqual([removed, removed])
    expect((await cofre(`${line} --without ${id}`)).output).toBe(
      `The account ${id} takes no new charges by boleto. Its existing charges continue.\nloja no longer has an account for boleto.\n`,
    )
    expect(await orderOf()).toEqual({ pix: 1 })
    expect((await cofre('store log loja')).output).toContain(`boleto`)
  })

  it('serves the method that it is added for, and shows how to add the other', async () => {
    const { cofre } = await installed()
    const { output } = await cofre(`${ADD} --method boleto`)
    expect(output).toContain('New charges by boleto go to it.\n')
    const [listed] = (await cofre('account list --json')).json() as { id: string; order: object }[]
    expect(listed?.order).toEqual({ boleto: 1 })
    expect(output).toContain(
      `To use it for pix too: cofre account order --store loja --method pix ${listed?.id}\n`,
    )
  })

  it('refuses methods, and accounts for them, that it does not have', async () => {
    const { cofre } = await installed()
    for (const [line, why] of [
      ['account add --store loja --provider pix-api --profile efi --method card', 'pix and boleto'],
      ['account order --store loja --method boleto nobody', 'there is none'],
      ['account order --store loja --method boleto --without nobody', 'there is none'],
      ['account order --store loja --method boleto one --without one', 'each account once'],
      ['account order --store loja --method card --without one', 'account disable'],
    ] as const)
      await expect(cofre(line), line).rejects.toThrow(why)
  })

  it('rotates to credentials that the bank takes, and to no others', async () => {
    const { added, answers, bank, cofre, give } = await installed()
    const { id } = await added()
    give({ clientSecret: 'not-the-secret-of-this-client' })
    const rotating = cofre(`account rotate ${id} --from answers.json`)
    await expect(rotating).rejects.toThrow(/nothing was stored.+The bank refused the client/)
    expect((await cofre(`account test ${id} --yes`)).failed).toBe(false)
    give({ ...answers, pixKey: 'another@loja.example' })
    await expect(cofre(`account rotate ${id} --from answers.json`)).rejects.toThrow('pixKey')
    give()
    expect((await cofre(`account rotate ${id} --from answers.json`)).failed).toBe(false)
    expect(chargesOf(bank)).toHaveLength(1)
  })

  it('asks only for new credentials, whatever else the bank’s contract leaves open', async () => {
    const { added, asked, cofre, dataDir, run } = await installed()
    const { id } = await added()
    const answers = ['client', 'secret', `${dataDir}/certificate.pem`, `${dataDir}/key.pem`]
    asked.length = 0
    await run(`account rotate ${id} --no-check`, { answers })
    expect(asked.map((question) => question.replace(/[,( ].*/s, ''))).toEqual([
      'Client',
      'Client',
      'Client',
      'Private',
      'Password',
    ])
    expect((await cofre('account list')).failed).toBe(false)
  })

  it(
    'reads a certificate that others may read, and no key that they may',
    needs('a system with file modes'),
    async () => {
      const { added, cofre, dataDir } = await installed()
      chmodSync(`${dataDir}/certificate.pem`, 0o644)
      expect(await added()).toHaveProperty('id')
      chmodSync(`${dataDir}/certificate.pem`, 0o664)
      await expect(cofre(ADD)).rejects.toThrow('certificate is refused')
      chmodSync(`${dataDir}/certificate.pem`, 0o600)
      for (const mode of [0o644, 0o640]) {
        chmodSync(`${dataDir}/key.pem`, mode)
        await expect(cofre(ADD)).rejects.toThrow(/certificateKey is refused.+chmod 600/)
      }
    },
  )

  // The Portuguese page has the same code.
  it('is usable again after a lost gateway key, by the steps of docs/incidents.md', async () => {
    const { added, bank, cofre, dataDir, environ } = await installed()
    const { id, noticeAddress } = await added(' --register --bank-certificate checked')
    rmSync(path.join(dataDir, 'gateway-keys'))
    await expect(cofre('store rotate loja --at-once')).rejects.toThrow('see docs/incidents.md')
    environ.COFRE_GATEWAY_KEY = `next:${Buffer.alloc(32, 7).toString('base64url')}`
    await expect(cofre('store rotate loja --at-once')).rejects.toThrow('see docs/incidents.md')

    const text = readFileSync(new URL('../../../../../docs/incidents.md', import.meta.url), 'utf8')
    const [, line = 'none'] = /cofre (store give-up)\n/.exec(text) ?? []
    await expect(cofre(line)).rejects.toThrow(
      `COFRE_GATEWAY_KEY does not open the secrets of loja and the credentials of ${id} of production.`,
    )
    expect((await cofre(`${line} --yes --json`)).json()).toEqual({
      environment: 'production',
      stores: ['loja'],
      keys: [],
      disabledBefore: [],
      accounts: [id],
      people: [],
    })
    expect((await cofre('store list')).output).toContain('DISABLED')
    await cofre('store rotate loja --at-once')
    await cofre('store enable loja')
    expect((await cofre(`${line} --yes`)).output).toContain(
      'Every secret of production can be opened',
    )
    const unusable = (await problemsOf(cofre)).filter(({ subject }) => subject.includes(id))
    expect(unusable).toMatchObject([
      { advice: expect.stringContaining(`cofre account rotate ${id}`) as string },
    ])

    await cofre(
      `account rotate ${id} --from answers.json --register --replace --bank-certificate checked`,
    )
    expect(webhookOf(bank)).toMatch(new RegExp(`/notices/${id}/`))
    expect(webhookOf(bank)).not.toBe(noticeAddress)
    expect((await cofre(`account test ${id} --yes`)).output).toContain('has passed its test')
    const problems = (await problemsOf(cofre)).map(({ subject }) => subject)
    expect(problems.filter((subject) => /account|gateway key/.test(subject))).toEqual([])
  })

  it('stores no account that the bank refuses, or does not answer', async () => {
    const { bank, cofre, give } = await installed()
    give({ clientId: 'Client_Id_of_nobody' })
    await expect(cofre(ADD)).rejects.toThrow(/nothing was stored.+Check the client id/)
    give()
    await bank.close()
    await expect(cofre(ADD)).rejects.toThrow(/nothing was stored.+The bank was not reached/)
    expect((await cofre('account list --json')).json()).toEqual([])
  })

  const expired = makeCertificate({
    name: 'Loja',
    kind: 'client',
    issuer: makeCertificate({ name: 'Authority', kind: 'authority' }),
    validFrom: new Date(Date.now() - 40 * DAY_MS),
    validTo: new Date(Date.now() - DAY_MS),
  })
  // The provider's own tables have the other refusals.
  it.each([
    ['a certificate that has expired', expired, {}, 'certificate is refused', 'expired on'],
    ['no PIX key', undefined, { pixKey: 'x' }, 'pixKey is refused', 'nothing was stored'],
    ['no client id', undefined, { clientId: '' }, 'answers are missing', 'clientId (Client id)'],
  ])('stores nothing of %s, and names it', async (_, certificate, changes, ...said) => {
    const { cofre, give, write } = await installed()
    if (certificate !== undefined) {
      write('certificate.pem', certificate.certificatePem)
      write('key.pem', certificate.keyPem)
    }
    give(changes)
    for (const text of said) await expect(cofre(ADD)).rejects.toThrow(text)
    expect((await cofre('account list --json')).json()).toEqual([])
  })
})
