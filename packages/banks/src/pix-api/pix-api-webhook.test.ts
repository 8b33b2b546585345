import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PIX_KEY, accountOf, bankOf } from '../../test/accounts.js'
import { type JudgingBank, startJudgingBank } from '../../test/judging-bank.js'
import type { PixApiBank } from './pix-api-bank.js'
import type { WebhookOrder } from './pix-api-webhook.js'

let server: JudgingBank
let bank: PixApiBank
beforeEach(async () => {
  server = await startJudgingBank()
  ;({ bank } = bankOf(accountOf('efi', server)))
})
afterEach(async () => {
  await bank.close()
  await server.close()
  expect(server.objections).toEqual([])
})

const url = 'https://notices.example.com/notices/acc_1/0123456789abcdef'
const other = 'https://other.example.com/erp/secret'
const order: WebhookOrder = { url, others: 'keep', bankCertificate: 'checked' }

describe('the address of the notices', () => {
  it('is registered, read and removed', async () => {
    expect(await bank.webhook.read()).toEqual({ kind: 'absent' })
    expect(await bank.webhook.register(order)).toEqual({ kind: 'done', value: url })
    expect(server.webhooks.get(PIX_KEY)).toBe(url)
    expect(await bank.webhook.read()).toEqual({ kind: 'done', value: url })
    expect(await bank.webhook.remove(url)).toEqual({ kind: 'done', value: 'removed' })
    expect(await bank.webhook.remove(url)).toEqual({ kind: 'done', value: 'removed' })
    expect(server.webhooks.size).toBe(0)
  })

  it('is registered once', async () => {
    await bank.webhook.register(order)
    await bank.webhook.register(order)
    expect(server.calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  it('never takes the place of another system’s, unless it is asked to', async () => {
    server.webhooks.set(PIX_KEY, other)
    const occupied = { kind: 'occupied', origin: 'https://other.example.com' }
    expect(await bank.webhook.register(order)).toEqual(occupied)
    expect(await bank.webhook.remove(url)).toEqual(occupied)
    expect(server.webhooks.get(PIX_KEY)).toBe(other)
    expect(await bank.webhook.register({ ...order, others: 'replace' })).toMatchObject({
      kind: 'done',
    })
    expect(server.webhooks.get(PIX_KEY)).toBe(url)
  })

  it('is not written while nobody knows what stands there', async () => {
    server.faults.push({ on: /^GET/, when: 'before', act: 'cut' })
    expect(await bank.webhook.register(order)).toMatchObject({ kind: 'unknown' })
    expect(server.webhooks.size).toBe(0)
  })

  it.each(['PUT', 'DELETE'] as const)(
    'is known after an answer to %s that was cut',
    async (method) => {
      if (method === 'DELETE') await bank.webhook.register(order)
      server.faults.push({ on: new RegExp(`^${method}`), when: 'after', act: 'cut' })
      const result = await (method === 'PUT'
        ? bank.webhook.register(order)
        : bank.webhook.remove(url))
      expect(result).toMatchObject({ kind: 'done' })
    },
  )

  it('is HTTPS', async () => {
    const plain = { ...order, url: url.replace('https', 'http') }
    await expect(bank.webhook.register(plain)).rejects.toThrow(RangeError)
  })

  it.each([
    ['efi', 'checked', undefined],
    ['efi', 'unchecked', 'true'],
    ['inter', 'unchecked', undefined],
  ] as const)(
    'at %s with a bank’s certificate that is %s',
    async (profile, bankCertificate, header) => {
      const one = bankOf(accountOf(profile, server)).bank
      await one.webhook.register({ ...order, bankCertificate })
      const put = server.calls.find(({ method }) => method === 'PUT')
      expect(put?.headers['x-skip-mtls-checking']).toBe(header)
      await one.close()
    },
  )
})
