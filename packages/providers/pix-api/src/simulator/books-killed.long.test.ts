// Long: kills the bank repeatedly.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { CHARGE, RECEIVER, openTestBank } from '../../test/simulated-bank.js'
import {
  createRepeatableBytes,
  folderOfEachTest,
} from '../../../../provider-kit/test/simulator-parts.js'

const NOTIFIER = fileURLToPath(new URL('../../test/notifier.mjs', import.meta.url))
const folder = folderOfEachTest()

it('A bank that starts again has booked all that it answered, however often it is killed', async () => {
  const notified: string[] = []
  for (let round = 0; round < 4; round++) {
    const notifier = fork(NOTIFIER, [JSON.stringify([folder(), round, RECEIVER, CHARGE])])
    let heard = 0
    notifier.on('message', (txid: string) => {
      notified.push(txid)
      heard += 1
      if (heard === 100 + round) notifier.kill('SIGKILL')
    })
    await once(notifier, 'exit')
    expect(heard).toBeGreaterThanOrEqual(100)
  }
  const bank = await openTestBank({
    folder: folder(),
    randomBytes: createRepeatableBytes('afterwards'),
  })
  for (const txid of notified) {
    const { payments } = bank.bank.controls.chargeOf(txid)
    expect(payments).toHaveLength(1)
    expect(payments[0]?.refunds).toMatchObject([{ status: 'DEVOLVIDO' }])
  }
  await bank.close()
})
