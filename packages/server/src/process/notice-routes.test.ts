import { expect, it } from 'vitest'
import { createNoticeRoutes } from './notice-routes.js'

const taken: unknown[] = []
const receiver = {
  expectsNotice: () => Promise.resolve(true),
  takeNotice: (_: string, notice: unknown) => {
    taken.push(notice)
    return Promise.resolve('taken' as const)
  },
}
const ignore = (): void => undefined
const log = { info: ignore, warn: ignore, error: ignore }
const app = createNoticeRoutes({ receivers: [receiver], log })

it('refuses a notice of too many values before it is parsed', async () => {
  const post = async (notice: unknown) => {
    const body = JSON.stringify(notice)
    return (await app.request('/notices/account/secret', { method: 'POST', body })).status
  }
  expect(await post({ pix: Array.from({ length: 2000 }, () => ({})) })).toBe(413)
  expect(taken).toEqual([])
  const usual = { pix: [{ endToEndId: 'E1', valor: '10.00' }] }
  expect(await post(usual)).toBe(200)
  expect(taken).toEqual([usual])
})
