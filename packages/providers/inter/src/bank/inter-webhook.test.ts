import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type JudgingInter, connectTo, startJudgingInter } from '../../test/judging-inter.js'
import type { NoticeAddress } from '@cofre/provider-kit/bank'

let server: JudgingInter
let connection: ReturnType<typeof connectTo>
beforeEach(async () => {
  server = await startJudgingInter()
  connection = connectTo(server)
})
afterEach(async () => {
  await connection.close()
  await server.close()
  expect(server.objections).toEqual([])
})

const url = 'https://notices.example.com/notices/acc_4/0123456789abcdef'
const other = 'https://other.example.com/erp/secret'
const DONE = { kind: 'done' }
const order: NoticeAddress = { url, others: 'keep', bankCertificate: 'checked' }

describe('the address of the notices of boletos', () => {
  it('is registered once, and removed', async () => {
    expect(await connection.notices.register(order)).toEqual(DONE)
    expect(await connection.notices.register(order)).toEqual(DONE)
    expect(server.behaviour.webhookUrl).toBe(url)
    expect(server.calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(await connection.notices.remove(url)).toEqual(DONE)
    expect(await connection.notices.remove(url)).toEqual(DONE)
    expect(server.behaviour.webhookUrl).toBeUndefined()
  })

  it('never replaces another system’s, unless it is told to', async () => {
    server.behaviour.webhookUrl = other
    const occupied = { kind: 'occupied', origin: 'https://other.example.com' }
    expect(await connection.notices.register(order)).toEqual(occupied)
    expect(await connection.notices.remove(url)).toEqual(occupied)
    expect(server.behaviour.webhookUrl).toBe(other)
    expect(await connection.notices.register({ ...order, others: 'replace' })).toEqual(DONE)
    expect(server.behaviour.webhookUrl).toBe(url)
  })

  it('is read again when the connection is cut after it was registered', async () => {
    server.faults.push({ on: /^PUT/, when: 'after', act: 'cut' })
    expect(await connection.notices.register(order)).toEqual(DONE)
    server.faults.push({ on: /^DELETE/, when: 'before', act: 'cut' })
    expect(await connection.notices.remove(url)).toMatchObject({ kind: 'failed' })
  })
})
