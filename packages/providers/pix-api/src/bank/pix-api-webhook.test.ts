import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PIX_KEY, type TestConnection, connect, storedAccount } from '../../test/accounts.js'
import { type JudgingBank, startJudgingBank } from '../../test/judging-bank.js'
import type { NoticeAddress } from '@cofre/provider-kit/bank'

let server: JudgingBank
let connection: TestConnection
beforeEach(async () => {
  server = await startJudgingBank()
  connection = connect(storedAccount('efi'), server)
})
afterEach(async () => {
  await connection.close()
  await server.close()
  expect(server.objections).toEqual([])
})

const url = 'https://notices.example.com/notices/acc_1/0123456789abcdef'
const other = 'https://other.example.com/erp/secret'
const DONE = { kind: 'done' }
const order: NoticeAddress = { url, others: 'keep', bankCertificate: 'checked' }

describe('the address of the notices', () => {
  it('is registered and removed', async () => {
    expect(await connection.notices.register(order)).toEqual(DONE)
    expect(server.webhooks.get(PIX_KEY)).toBe(url)
    expect(await connection.notices.remove(url)).toEqual(DONE)
    expect(await connection.notices.remove(url)).toEqual(DONE)
    expect(server.webhooks.size).toBe(0)
  })

  it('is registered once', async () => {
    await connection.notices.register(order)
    await connection.notices.register(order)
    expect(server.calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  it('never replaces another system’s, unless it is told to', async () => {
    server.webhooks.set(PIX_KEY, other)
    const occupied = { kind: 'occupied', origin: 'https://other.example.com' }
    expect(await connection.notices.register(order)).toEqual(occupied)
    expect(await connection.notices.remove(url)).toEqual(occupied)
    expect(server.webhooks.get(PIX_KEY)).toBe(other)
    expect(await connection.notices.register({ ...order, others: 'replace' })).toMatchObject({
      kind: 'done',
    })
    expect(server.webhooks.get(PIX_KEY)).toBe(url)
  })

  it('is not written while the registered address is unknown', async () => {
    server.faults.push({ on: /^GET/, when: 'before', act: 'cut' })
    expect(await connection.notices.register(order)).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('unknown') as string,
    })
    expect(server.webhooks.size).toBe(0)
  })

  it.each(['PUT', 'DELETE'] as const)(
    'is known after an answer to %s that was cut',
    async (method) => {
      if (method === 'DELETE') await connection.notices.register(order)
      server.faults.push({ on: new RegExp(`^${method}`), when: 'after', act: 'cut' })
      const result = await (method === 'PUT'
        ? connection.notices.register(order)
        : connection.notices.remove(url))
      expect(result).toMatchObject({ kind: 'done' })
    },
  )

  it('is HTTPS', async () => {
    const plain = { ...order, url: url.replace('https', 'http') }
    await expect(connection.notices.register(plain)).rejects.toThrow(RangeError)
  })

  it.each([
    ['efi', 'checked', undefined],
    ['efi', 'unchecked', 'true'],
    ['inter', 'unchecked', undefined],
  ] as const)(
    'at %s with a bank’s certificate that is %s',
    async (profile, bankCertificate, header) => {
      const one = connect(storedAccount(profile), server)
      await one.notices.register({ ...order, bankCertificate })
      const put = server.calls.find(({ method }) => method === 'PUT')
      expect(put?.headers['x-skip-mtls-checking']).toBe(header)
      await one.close()
    },
  )
})
