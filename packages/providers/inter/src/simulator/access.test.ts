import { MINUTE_MS } from '@cofre/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestInter, openTestInter } from '../../test/simulated-inter.js'
import { PRODUCTION_LIMITS } from './call-budget.js'

async function open(options: Parameters<typeof openTestInter>[0] = {}): Promise<TestInter> {
  const inter = await openTestInter(options)
  onTestFinished(() => inter.close())
  return inter
}

describe('calls to Inter', () => {
  it('need a token that has the right', async () => {
    const inter = await open()
    const { body } = await inter.askToken('boleto-cobranca.read')
    const answer = await inter.call('POST', '/cobrancas', inter.order('A'), {
      token: body.access_token,
    })
    expect(answer).toMatchObject({ status: 403, json: { title: 'Acesso negado' } })
    const webhook = await inter.call('GET', '/cobrancas/webhook', undefined, { token: 'none' })
    expect(webhook).toMatchObject({ status: 401, json: { error: 'invalid_token' } })
  })

  it('may name their account, and no other', async () => {
    const inter = await open()
    const read = async (number: string) => {
      const headers = { 'x-conta-corrente': number }
      return (await inter.call('GET', '/cobrancas/webhook', undefined, { headers })).status
    }
    expect(await read('13525622')).toBe(404)
    expect(await read('13525623')).toBe(403)
  })

  it.each(['tokens', 'webhooks', 'history', 'calls'] as const)(
    'of the kind %s are as many a minute as the bank allows',
    async (kind) => {
      // Production's limit of 120 would take long.
      const limits = { ...PRODUCTION_LIMITS, calls: 6 }
      const inter = await open({ limits })
      const period = 'dataHoraInicio=2026-11-25T00:00:00Z&dataHoraFim=2026-11-26T00:00:00Z'
      const calls = {
        tokens: () => inter.askToken(),
        webhooks: () => inter.call('GET', '/cobrancas/webhook'),
        history: () => inter.call('GET', `/cobrancas/webhook/callbacks?${period}`),
        calls: () => inter.call('GET', '/cobrancas/0b7e4c1a-5d3f-4a2b-9c8d-7e6f5a4b3c2d'),
      }
      const call = calls[kind]
      const statuses = new Set<number>()
      for (let n = 0; n < limits[kind]; n++) statuses.add((await call()).status)
      expect(statuses).not.toContain(429)
      expect((await call()).status).toBe(429)
      inter.clock.advance(MINUTE_MS)
      expect((await call()).status).not.toBe(429)
    },
  )

  it('are cut after the booking, if a test requires it, and a repetition finds the booking', async () => {
    const inter = await open()
    inter.inter.disturbances.add({
      effect: { kind: 'cut', when: 'after' },
      on: ({ path }) => path.endsWith('/cobrancas'),
    })
    await expect(inter.take('A')).rejects.toThrow()
    const again = await inter.call('POST', '/cobrancas', inter.order('A'))
    expect(again.status).toBe(400)
    expect(inter.inter.book.boletos.size).toBe(1)
  })
})
