// `cofre account` with the real connector of Inter, at a simulated bank over real HTTPS.
import { loadBanks } from '@cofre/providers'
import { DAY_MS } from '@cofre/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { SECRETS } from '../../../../providers/pix-api/test/accounts.js'
import { startJudgingInter } from '../../../../providers/inter/test/judging-inter.js'
import { makeCertificate } from '../../../../provider-kit/test/certificates.js'
import { authority } from '../../../../provider-kit/test/https-server.js'
import type { Finding } from '../../doctor/finding.js'
import { createInstallation } from './account.fixture.js'

const ADD = 'account add --store loja --provider inter --from'

async function installed(validDays: number) {
  const bank = await startJudgingInter()
  onTestFinished(async () => {
    await bank.close()
    expect(bank.objections).toEqual([])
  })
  const simulator = { origin: bank.origin, caPem: authority.certificatePem }
  const banks = (await loadBanks()).map((provider) => ({
    ...provider,
    connect: ((account, tools) =>
      provider.connect(
        { ...account, kind: 'simulator' },
        { ...tools, simulator },
      )) satisfies typeof provider.connect,
  }))
  const environ = { COFRE_PUBLIC_NOTICES_URL: 'https://notices.example.com' }
  const installation = createInstallation({ banks }, environ, { startMs: Date.now() })
  const { certificatePem, keyPem } = makeCertificate({
    name: 'Loja',
    kind: 'client',
    issuer: authority,
    validFrom: new Date(Date.now() - DAY_MS),
    validTo: new Date(Date.now() + validDays * DAY_MS),
  })
  installation.write('certificate.pem', certificatePem)
  installation.write('key.pem', keyPem)
  const answers = {
    receiverName: 'Loja Exemplo',
    receiverCity: 'São Paulo',
    clientId: 'Client_Id_1',
    clientSecret: SECRETS[0],
    accountNumber: '1234567',
    testPayerDocument: '12345678000195',
    certificate: 'certificate.pem',
    certificateKey: 'key.pem',
  }
  const file = installation.write('answers.json', JSON.stringify(answers))
  await installation.cofre('store create loja')
  const { id, noticeAddress } = (
    await installation.cofre(`${ADD} ${file} --register --bank-certificate unchecked --json`)
  ).json() as { id: string; noticeAddress: string }
  return { ...installation, bank, id, noticeAddress }
}

it('adds an account for boletos, has the bank call, and tests it with a boleto that it cancels', async () => {
  const { bank, cofre, id, noticeAddress } = await installed(300)
  expect(id).toMatch(/^inter-/)
  expect(bank.behaviour.webhookUrl).toBe(noticeAddress)
  const listed = (await cofre('account list --json')).json()
  expect(listed).toMatchObject([{ id, provider: 'inter' }])
  const tested = await cofre(`account test ${id} --yes`)
  expect(tested.output).toBe(`The account ${id} has passed its test.\n`)
  expect([...bank.boletos.values()].map(({ cobranca }) => cobranca.situacao)).toEqual(['CANCELADO'])
  expect(JSON.stringify(listed) + tested.output).not.toContain(SECRETS[0])
})

it('has the doctor warn of the end of its certificate', async () => {
  const { cofre, id } = await installed(10)
  const findings = (await cofre('doctor --json')).json() as Finding[]
  expect(findings.filter(({ subject }) => subject.includes(id))).toMatchObject([
    { level: 'warning', advice: expect.stringContaining(`cofre account rotate ${id}`) as string },
  ])
})
