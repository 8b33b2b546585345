import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type JudgingInter,
  connectTo,
  startJudgingInter,
  storedInter,
} from '../../test/judging-inter.js'

let server: JudgingInter
beforeEach(async () => {
  server = await startJudgingInter()
})
afterEach(async () => {
  await server.close()
  expect(server.objections).toEqual([])
})

const OWN = '12345678000195'
const ALL = [
  'Sign in',
  'List what was paid by PIX in the last hour',
  'Issue a boleto of R$ 2.50',
  'Read the boleto until it is issued',
  'Fetch its PDF',
  'Cancel the boleto',
]

async function run(payer?: string, before: (step: string) => void = () => undefined) {
  const account = storedInter('simulator', payer === undefined ? {} : { testPayerDocument: payer })
  const waits: number[] = []
  const wait = (ms: number) => {
    waits.push(ms)
    for (const one of server.boletos.values()) server.issued(one)
    return Promise.resolve()
  }
  const connection = connectTo(server, { account, wait })
  const reported: (readonly [step: string, isDone: boolean, detail: string])[] = []
  for (const step of connection.steps) {
    before(step.text)
    const { isDone, detail } = await step.run()
    reported.push([step.text, isDone, detail])
  }
  await connection.close()
  return { reported, waits }
}

const situations = () => [...server.boletos.values()].map(({ cobranca }) => cobranca.situacao)

describe('the test of an account', () => {
  it('issues a boleto to its own payer, waits for it, and leaves none behind', async () => {
    server.behaviour.issues = 'later'
    const { reported, waits } = await run(OWN)
    expect(reported.map(([step, isDone]) => [step, isDone])).toEqual(
      ALL.map((step) => [step, true]),
    )
    expect(waits).toHaveLength(1)
    expect(situations()).toEqual(['CANCELADO'])
    const issue = server.calls.find(({ method }) => method === 'POST')
    expect(issue?.body).toMatchObject({ valorNominal: 2.5, pagador: { cpfCnpj: OWN } })
  })

  it('only reads if it has no payer', async () => {
    const { reported } = await run()
    expect(reported.map(([step, isDone]) => [step, isDone])).toEqual(
      ALL.slice(0, 2).map((step) => [step, true]),
    )
    expect(server.boletos.size).toBe(0)
  })

  it('names the missing scopes', async () => {
    const forbidden = { status: 403, body: '{"title":"Acesso negado"}' }
    server.faults.push({ on: /^GET \/pix/, when: 'before', act: forbidden })
    const { reported } = await run()
    expect(reported[1]?.[2]).toBe(
      'The bank does not permit this to this client (status 403: Acesso negado). Ask it for the scopes boleto-cobranca.read boleto-cobranca.write pix.read pix.write.',
    )
  })

  it('cancels a boleto that it issued without an answer', async () => {
    const { reported } = await run(OWN, (step) => {
      if (!step.startsWith('Issue')) return
      server.faults.push({ on: /^POST \/cobrancas$/, when: 'after', act: 'cut' })
      server.faults.push({ on: /^GET \/cobrancas\?/, when: 'before', act: 'cut' })
    })
    expect(reported[2]?.[1]).toBe(false)
    expect(reported.at(-1)).toEqual([ALL[5], true, 'The bank cancelled the boleto.'])
    expect(situations()).toEqual(['CANCELADO'])
  })

  it('reports an accepted cancel, and where to look up a boleto’s state', async () => {
    server.behaviour.cancels = 'later'
    expect((await run(OWN)).reported.at(-1)?.[2]).toContain('will carry it out soon')
    server.boletos.clear()
    const { reported } = await run(OWN, (step) => {
      const [one] = server.boletos.values()
      if (step.startsWith('Cancel') && one !== undefined) server.payByLine(one, '2.50')
    })
    expect(reported.at(-1)).toEqual([
      ALL[5],
      false,
      "The boleto is paid. Check it on the bank's own site.",
    ])
  })
})
