import process from 'node:process'
import { expect, test } from '@playwright/test'
import { type CofreProcess, freePorts, startCofre, startVault } from './cofre-process.js'

const ports = await freePorts()

const WRITERS = [
  {
    what: 'the file of cofre dev',
    start: () => startCofre(ports),
    logOf: (cofre: CofreProcess) =>
      String(cofre.files().find(({ name }) => name === 'cofre.log')?.bytes),
  },
  {
    what: 'the output of cofre serve',
    start: () => startVault(ports, {}),
    logOf: (cofre: CofreProcess) => cofre.output(),
  },
]

for (const { what, start, logOf } of WRITERS) {
  test(`no request that was answered is missing from ${what} after SIGTERM`, async () => {
    const cofre = await start()
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${ports.vault}/sessions`, { method: 'PUT' })
      return answer.headers.get('X-Request-Id') ?? ''
    }
    const ids = await Promise.all(Array.from({ length: 100 }, ask))
    process.kill(cofre.pid, 'SIGTERM')
    expect(await cofre.stop()).toBe(0)
    const log = logOf(cofre)
    for (const id of ids) expect(log).toContain(`"requestId":"${id}"`)
    expect(log).toContain('"msg":"stopping"')
    await cofre.dispose()
  })
}
