import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { railRequest } from '../../../gateway/src/gateway.fixture.js'
import { openBankGateway } from '../banks.fixture.js'
import { ADDRESS, boletoRequest, openBoletoGateway } from './boleto-bank.fixture.js'

// No statement of this file depends on the engine.
const [SQLITE] = TEST_ENGINES.filter(({ name }) => name === 'sqlite')

async function openBoth() {
  const production = await openBoletoGateway(SQLITE!)
  onTestFinished(() => production.close())
  const sandbox = await openBankGateway(SQLITE!, {
    environment: 'sandbox',
    boletoObjections: (storeId, payer) => production.gateway.boletoObjections(storeId, payer),
  })
  onTestFinished(() => sandbox.close())
  return { production, sandbox }
}

it('the sandbox refuses a boleto that the store’s bank would not register, with the reason', async () => {
  const { sandbox } = await openBoth()
  const body = railRequest('order-1', 'boleto')
  const headers = { 'accept-language': 'en' }
  const { status, json } = await sandbox.send('POST', '/transactions', { body, headers })
  expect(status).toBe(400)
  expect(json.errors).toMatchObject([
    {
      code: 210319,
      property: 'payer.address',
      message: expect.stringMatching(/in production.*bank/i) as string,
    },
  ])
})

it.each([
  ['country', { country: 'PT' }, 210334],
  ['state', { state: 'XX' }, 210330],
])('the sandbox refuses a boleto with another %s, as production does', async (_, wrong, code) => {
  const { sandbox } = await openBoth()
  const { payer, ...request } = boletoRequest('order-1')
  const body = { ...request, payer: { ...payer, address: { ...ADDRESS, ...wrong } } }
  expect(await sandbox.send('POST', '/transactions', { body })).toMatchObject({ codes: [code] })
})

it('the sandbox takes a boleto with an address, and a PIX without', async () => {
  const { sandbox } = await openBoth()
  for (const body of [boletoRequest('order-1'), railRequest('order-2', 'pix')])
    expect((await sandbox.send('POST', '/transactions', { body })).status).toBe(201)
})

it('the sandbox takes a boleto without an address where production has no account for it', async () => {
  const { production, sandbox } = await openBoth()
  for (const { id } of await production.parts.accounts.list())
    await production.parts.accounts.disable(id, 'operator:ana')
  const body = railRequest('order-1', 'boleto')
  expect((await sandbox.send('POST', '/transactions', { body })).status).toBe(201)
})

it('the sandbox accepts a boleto while production’s requirements are unknown', async () => {
  const sandbox = await openBankGateway(SQLITE!, {
    environment: 'sandbox',
    boletoObjections: () => Promise.reject(new Error('connect ECONNREFUSED')),
  })
  onTestFinished(() => sandbox.close())
  const body = railRequest('order-1', 'boleto')
  expect((await sandbox.send('POST', '/transactions', { body })).status).toBe(201)
  expect(sandbox.logged.join()).toContain('production did not report which boletos it accepts')
})
