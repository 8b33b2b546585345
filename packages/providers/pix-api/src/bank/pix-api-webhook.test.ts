import { expect, it } from 'vitest'
import { describeNoticeAddress } from '../../../../provider-kit/src/testing/notice-address.conformance.js'
import { PIX_KEY, connect, storedAccount } from '../../test/accounts.js'
import { startJudgingBank } from '../../test/judging-bank.js'

describeNoticeAddress('the API Pix', async () => {
  const server = await startJudgingBank()
  const connection = connect(storedAccount('efi'), server)
  return {
    notices: connection.notices,
    address: () => server.webhooks.get(PIX_KEY),
    setAddress(url) {
      server.webhooks.set(PIX_KEY, url)
    },
    cut(method, when) {
      server.faults.push({ on: new RegExp(`^${method}`), when, act: 'cut' })
    },
    calls: (method) => server.calls.filter((call) => call.method === method).length,
    async close() {
      await connection.close()
      await server.close()
      expect(server.objections).toEqual([])
    },
  }
})

it.each([
  ['efi', 'checked', undefined],
  ['efi', 'unchecked', 'true'],
  ['inter', 'unchecked', undefined],
] as const)(
  'the address at %s with a bank’s certificate that is %s is registered with the header %s',
  async (profile, bankCertificate, header) => {
    const server = await startJudgingBank()
    const one = connect(storedAccount(profile), server)
    const url = 'https://notices.example.com/notices/acc_1/0123456789abcdef'
    await one.notices.register({ url, others: 'keep', bankCertificate })
    const put = server.calls.find(({ method }) => method === 'PUT')
    expect(put?.headers['x-skip-mtls-checking']).toBe(header)
    await one.close()
    await server.close()
    expect(server.objections).toEqual([])
  },
)
