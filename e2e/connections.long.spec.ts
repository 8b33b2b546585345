// Long: floods a process with connections while it stops, and until it has no file descriptor left.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { type Socket, connect } from 'node:net'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { type CofreProcess, freePorts, startRoles } from './cofre-process.js'
import { needs } from './needs.js'

const CLIENTS = 30

let ports = await freePorts()
let cofre: CofreProcess | undefined
let sockets: Socket[] = []
test.beforeEach(async () => {
  ports = await freePorts()
})
test.afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await cofre?.dispose()
  cofre = undefined
})

/** The outcomes of clients with one connection each while a process stops. */
async function outcomesOfStopping(
  environ: Readonly<Record<string, string>>,
  goesElsewhere: (outcomes: readonly string[]) => boolean,
): Promise<string[]> {
  const running = await startRoles('vault,metrics', ports, {
    ...environ,
    COFRE_METRICS_PORT: String(ports.metrics),
  })
  cofre = running
  const seen: string[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    // One connection per client. The server closes a connection that is idle for a second without a
    // response.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const outcomes: string[] = []
    while (!goesElsewhere(outcomes)) {
      const outcome = await ask(agent, ports.vault)
      outcomes.push(outcome)
      seen.push(outcome)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    }
    agent.destroy()
  })
  await expect.poll(() => seen.length).toBeGreaterThan(10 * CLIENTS)
  const stopped = running.stop()
  await Promise.all(clients)
  expect(await stopped).toBe(0)
  return [...new Set(seen)].sort()
}

test('a process that stops resets no client that keeps its connections', async () => {
  const isRefused = (outcomes: readonly string[]) => outcomes.at(-1) === 'ECONNREFUSED'
  const outcomes = await outcomesOfStopping({}, isRefused)
  expect(outcomes).toEqual(['404 close', '404 keep-alive', 'ECONNREFUSED'])
})

// The system may reset connections after the drain: it drops those that arrive between the server's
// last accept and its end.
test('a draining process answers every client that leaves before the drain ends', async () => {
  // The second `close` is on a connection made during the drain.
  const isReportedTwice = (outcomes: readonly string[]) =>
    outcomes.filter((outcome) => outcome === '404 close').length === 2
  const outcomes = await outcomesOfStopping({ COFRE_DRAIN: '1s' }, isReportedTwice)
  expect(outcomes).toEqual(['404 close', '404 keep-alive'])
})

test('a process without file descriptors logs it, survives, and serves again when it has some', async () => {
  needs('prlimit, of Linux', process.platform === 'linux')
  const running = await startRoles('vault,metrics', ports, {
    COFRE_METRICS_PORT: String(ports.metrics),
  })
  cofre = running
  const open = readdirSync(`/proc/${running.pid}/fd`).length
  execFileSync('prlimit', ['--pid', String(running.pid), `--nofile=${open + 10}`])
  const statusAt = async () => (await ask(new Agent(), ports.vault)).slice(0, 3)
  expect(await statusAt()).toBe('404')
  sockets = Array.from({ length: 60 }, () =>
    connect(ports.vault, '127.0.0.1').on('error', () => undefined),
  )
  await expect.poll(() => running.output()).toContain('no file descriptor is left')
  expect(await statusAt()).not.toBe('404')
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => running.output()).toContain('there are file descriptors again')
  expect(await statusAt()).toBe('404')
  expect(await running.stop()).toBe(0)
})

/** Resolves to the status and the response's `Connection` header, or to the error's code. */
function ask(agent: Agent, port: number): Promise<string> {
  return new Promise((resolve) => {
    const sent = get({ agent, host: '127.0.0.1', port, path: '/v1/ping' }, (response) => {
      response.resume()
      response.once('end', () => {
        resolve(`${response.statusCode} ${response.headers.connection}`)
      })
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message)
    })
  })
}
