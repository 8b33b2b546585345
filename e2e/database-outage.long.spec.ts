// Long: stops the database under load.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { MerchantApiError } from '@cofre/merchant'
import { freePorts, startCofre } from './cofre-process.js'
import { cardOrder } from './orders.js'
import { startPostgresProcess } from './postgres-process.js'
import { startReceiver } from './receiver.js'
import { merchantAt } from './shop-request.js'

const BUYERS = 6

test('a database that goes away under load is reported to shops in the one shape, and coming back is enough', async () => {
  const database = await startPostgresProcess()
  const receiver = await startReceiver()
  const ports = await freePorts()
  const cofre = await startCofre(ports, {
    COFRE_DATABASE_URL: database.url,
    COFRE_VAULT_DATABASE_URL: database.url,
    COFRE_PURCHASE_LIMIT: '10000000.00',
  })
  const merchant = merchantAt(ports.api)
  const acknowledged = new Map<string, string>()
  const refusals: MerchantApiError[] = []
  const surprises: unknown[] = []
  let isOver = false
  const buy = async (buyer: number): Promise<void> => {
    for (let i = 1; !isOver; i++) {
      const reference = `outage-${buyer}-${i}`
      try {
        const request = { reference, notificationUrl: receiver.url, payer: buyer }
        const { transaction } = await merchant.createTransaction(
          cardOrder('4111111111111111', request),
        )
        acknowledged.set(reference, transaction.code)
      } catch (error) {
        if (error instanceof MerchantApiError) refusals.push(error)
        else surprises.push(error)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
  const buyers = Array.from({ length: BUYERS }, (_, buyer) => buy(buyer))
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.metrics}/readyz`)
    return { status: answer.status, text: await answer.text() }
  }
  const metricsText = async () =>
    await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text()
  const databasesUp = async () =>
    (await metricsText()).match(/^cofre_database_up\{.*$/gm)?.map((line) => line.slice(-1))
  const roundAge = async () =>
    Number(
      /^cofre_worker_last_round_age_seconds\{environment="production"\} (.*)$/m.exec(
        await metricsText(),
      )?.[1],
    )
  const linesOfJobs = () =>
    readFileSync(path.join(cofre.dataDir, 'cofre.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"job":'))
      .map((line) => JSON.parse(line) as { job: string; environment: string; msg: string })
  const openSession = () => fetch(`http://127.0.0.1:${ports.vault}/sessions`, { method: 'POST' })
  await expect.poll(() => acknowledged.size).toBeGreaterThan(BUYERS)
  expect((await ready()).status).toBe(200)
  expect((await openSession()).status).toBe(201)

  await database.stop()
  await expect.poll(() => refusals.length).toBeGreaterThan(BUYERS)
  await expect.poll(async () => (await ready()).status).toBe(503)
  expect((await ready()).text).toContain('"database production":"the database does not answer"')
  const refused = await openSession()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
  expect(await refused.json()).toMatchObject({ errors: [{ code: 90006 }] })
  expect((await fetch(`http://127.0.0.1:${ports.metrics}/healthz`)).status).toBe(200)
  expect(await databasesUp()).toEqual(['0', '0', '0', '0'])
  // The age grows while every round fails. The log has only one line for each failed job.
  await expect.poll(roundAge).toBeGreaterThan(10)
  const failed = linesOfJobs().filter(({ msg }) => msg === 'a job failed')
  const names = failed.map(({ job, environment }) => `${environment} ${job}`)
  expect(names).toContain('production refunds')
  expect(names).toContain('sandbox refunds')
  expect(names).toHaveLength(new Set(names).size)

  const before = acknowledged.size
  await database.start()
  await expect.poll(() => acknowledged.size).toBeGreaterThan(before + BUYERS)
  await expect.poll(async () => (await ready()).status).toBe(200)
  expect(await databasesUp()).toEqual(['1', '1', '1', '1'])
  await expect.poll(roundAge).toBeLessThan(5)
  expect(linesOfJobs().filter(({ msg }) => msg === 'a job works again').length).toBeGreaterThan(0)
  expect((await openSession()).status).toBe(201)
  isOver = true
  await Promise.all(buyers)

  expect(surprises).toEqual([])
  // Never a 500: an outage is not a bug. 409: the reference of an order whose response was lost.
  for (const { status } of refusals) expect([503, 409]).toContain(status)
  for (const [reference, code] of acknowledged)
    expect((await merchant.findTransaction(code))['order-id']).toBe(reference)
  expect(await cofre.stop()).toBe(0)
  await cofre.dispose()
  await database.dispose()
  await receiver.close()
})
