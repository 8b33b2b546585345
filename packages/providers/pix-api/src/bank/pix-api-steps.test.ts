import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../../provider-kit/test/certificates.js'
import { SECRETS, type TestConnection, connect, storedAccount } from '../../test/accounts.js'
import { type Fault, type JudgingBank, NOW, startJudgingBank } from '../../test/judging-bank.js'

const clockAt = (minutes: number) => ({ now: () => Date.parse(NOW) + minutes * 60_000 })

let server: JudgingBank
let connection: TestConnection
beforeEach(async () => {
  server = await startJudgingBank()
  connection = connect(storedAccount('efi'), server, {
    clock: clockAt(0),
    limits: { totalMs: 500 },
  })
})
afterEach(async () => {
  await connection.close()
  await server.close()
  expect(server.objections).toEqual([])
})

async function run(
  of: TestConnection = connection,
): Promise<{ isDone: boolean; detail: string }[]> {
  const results: { isDone: boolean; detail: string }[] = []
  const steps = of.steps.filter(({ method = 'pix' }) => method === 'pix')
  for (const step of steps) results.push(await step.run())
  for (const { detail } of results) {
    expect(detail).toMatch(/^[A-Z].*\.$/)
    for (const secret of [...SECRETS, 'token-', 'PRIVATE KEY']) expect(detail).not.toContain(secret)
  }
  return results
}
const on = (call: RegExp, act: Fault['act']): Fault => ({ on: call, when: 'before', act })

describe('the test of an account', () => {
  it('signs in, opens a charge of one centavo without a payer, reads it and removes it', async () => {
    expect(connection.steps.map(({ method, text }) => [text, method])).toEqual([
      ['Sign in', undefined],
      ['Open a charge of R$ 0.01', 'pix'],
      ['Read the charge', 'pix'],
      ['Remove the charge', 'pix'],
      ['Sign in for boletos', 'boleto'],
      ['Look for a boleto that does not exist', 'boleto'],
    ])
    const results = await run()
    expect(results.map(({ isDone }) => isDone)).toEqual([true, true, true, true])
    expect(server.calls[0]?.body).toMatchObject({ valor: { original: '0.01' } })
    expect(server.calls[0]?.body).not.toHaveProperty('devedor')
    const [charge] = server.charges.values()
    expect(charge?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  })

  it.each([
    [401, 'refused the client', 'client id and the secret'],
    [400, 'refused the client', 'cofre account rotate'],
    [429, 'no access token', 'Try again later'],
    [500, 'no access token', 'certificate is registered'],
  ])(
    'advises what to do when the token request is answered with %i',
    async (status, what, todo) => {
      server.tokenStatus = status
      const [signIn, opened, read, removed] = await run()
      expect(signIn).toMatchObject({ isDone: false })
      expect(signIn?.detail).toContain(what)
      expect(signIn?.detail).toContain(`${status}`)
      expect(signIn?.detail).toContain(todo)
      for (const step of [opened, read]) expect(step?.isDone).toBe(false)
      expect(removed).toEqual({ isDone: true, detail: 'There is none to remove.' })
      expect(read?.detail).toBe('There is no charge of this test. Open one first.')
      expect(server.calls).toEqual([])
    },
  )

  it.each<[string, Fault['act'], RegExp]>([
    ['403', { status: 403, body: '{"type":"x/AcessoNegado"}' }, /scopes cob.write/],
    ['400', { status: 400, body: '{"detail":"chave"}' }, /Efí refused it .*chave.*PIX key/],
    ['429', { status: 429, body: '', headers: { 'retry-after': '9' } }, /asks for a pause/],
  ])('advises what to do when the charge is answered with %s', async (_, act, detail) => {
    server.faults.push(on(/^PUT/, act))
    const [signIn, opened] = await run()
    expect(signIn?.isDone).toBe(true)
    expect(opened?.detail).toMatch(detail)
    expect(server.charges.size).toBe(0)
  })

  it('removes a charge that may have been opened', async () => {
    server.faults.push({ on: /^PUT/, when: 'after', act: 'cut' }, on(/^GET/, 'cut'))
    const [, opened, , removed] = await run()
    expect(opened).toMatchObject({ isDone: false })
    expect(opened?.detail).toContain('The outcome is unknown')
    expect(removed).toMatchObject({ isDone: true })
  })

  it('reports a PIX code of the bank that contradicts the charge', async () => {
    server.disguise = (charge) => ({ ...charge, location: 'pix.example.com/qr/v2/other' })
    const [, , read] = await run()
    expect(read).toMatchObject({ isDone: false })
    expect(read?.detail).toContain('another location')
  })

  it.each([
    [12, '12 minutes behind'],
    [-180, '180 minutes ahead of'],
  ])('reports that our clock is at %i minutes by the bank’s', async (minutes, difference) => {
    const other = connect(storedAccount('efi'), server, { clock: clockAt(minutes) })
    const [, opened, , removed] = await run(other)
    expect(opened).toMatchObject({ isDone: false })
    expect(opened?.detail).toContain(difference)
    expect(removed?.isDone).toBe(true)
    await other.close()
  })

  it('does not report a paid charge as removed', async () => {
    const [, open, , remove] = connection.steps
    await open?.run()
    const [txid = ''] = server.charges.keys()
    server.pay(txid)
    expect(await remove?.run()).toMatchObject({
      isDone: false,
      detail: expect.stringContaining('is paid') as string,
    })
  })

  it('reports that the certificate has expired', async () => {
    const account = storedAccount('efi')
    const nowMs = account.certificateUntilMs ?? 0
    const expired = connect(account, server, { clock: { now: () => nowMs } })
    const [signIn] = await run(expired)
    expect(signIn?.detail).toMatch(/expired on \d{4}-\d\d-\d\d.*Ask the bank for a new one/)
    await expired.close()
  })

  it('reports that the bank is away, or has an untrusted certificate', async () => {
    const stranger = connect(storedAccount('efi'), server, {
      caPem: makeCertificate({ name: 'Another CA', kind: 'authority' }).certificatePem,
    })
    const [untrusted] = await run(stranger)
    expect(untrusted?.detail).toMatch(/not trusted.*clock and authorities/)
    await stranger.close()
    await server.close()
    const [away] = await run()
    expect(away?.detail).toMatch(/not reached.*network/)
  })
})
