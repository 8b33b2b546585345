import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import process from 'node:process'

// Below the system's range for outgoing connections, and above that of the e2e stories. Each of
// Vitest's workers cycles through its own part, so that two tests never get the same port before
// they listen.
const PORTS_EACH = 300
const PORTS_FROM = 30_000 + PORTS_EACH * (Number(process.env.VITEST_POOL_ID ?? 0) % 9)
let portsGiven = randomInt(PORTS_EACH)

/** A port without a listener. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS_FROM + (portsGiven++ % PORTS_EACH)
    if (await isFree(port)) return port
  }
}

/** Free ports by the variables that set them. */
export async function freePorts<Role extends string>(...roles: readonly Role[]) {
  const ports: Record<string, string> = {}
  for (const role of roles) ports[`COFRE_${role}_PORT`] = String(await freePort())
  return ports as Record<`COFRE_${Role}_PORT`, string>
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => {
      resolve(false)
    })
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}
