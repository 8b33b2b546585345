import { describeNoticeAddress } from '../../../../provider-kit/src/testing/notice-address.conformance.js'
import { connectTo, startJudgingInter } from '../../test/judging-inter.js'
import { expect } from 'vitest'

describeNoticeAddress('boletos at Inter', async () => {
  const server = await startJudgingInter()
  const connection = connectTo(server)
  return {
    notices: connection.notices,
    address: () => server.behaviour.webhookUrl,
    setAddress(url) {
      server.behaviour.webhookUrl = url
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
