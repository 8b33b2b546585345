// A load of HTTP requests over keep-alive connections, made in this process; the measured programs
// run in others.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from './compare.mjs'

const LOOK_MS = 500
const DEADLINE_MS = 120_000

/**
 * Sends requests over the given number of connections, each the next one after its response, until
 * the requests or the time are used up.
 * @param load.requests - An iterator of `{ method, path, headers, body }`.
 * @returns the number of responses, the rate, and the median and 99th percentile of the latency
 */
export async function drive({ port, connections, seconds = 60, requests, expectStatus = 201 }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const latencies = []
  const startedAt = performance.now()
  const run = async () => {
    for (const request of requests) {
      const sentAt = performance.now()
      if (sentAt >= startedAt + seconds * 1000) return
      const { status } = await exchange(agent, port, request)
      if (status !== expectStatus) throw new Error(`${request.path} was answered ${status}`)
      latencies.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  const count = latencies.length
  const perSecond = (count * 1000) / (performance.now() - startedAt)
  agent.destroy()
  const p99Ms = latencies.toSorted((a, b) => a - b)[Math.floor(count * 0.99)]
  return { count, perSecond, p50Ms: median(latencies), p99Ms }
}

/** Repeats the same request forever. */
export function* repeated(request) {
  for (;;) yield request
}

/** Sends one request; resolves to the status and text of its response. */
export function exchange(agent, port, { body, ...request }) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ agent, port, host: '127.0.0.1', ...request }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Sends one request and parses the JSON of its response: for preparations. */
export async function ask(url, init) {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Waits until a condition holds, or fails. */
export async function within(what, isDone) {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`no ${what} within ${DEADLINE_MS / 1000} s`)
    await pause(20)
  }
}

/** CPU time that a process has used, in milliseconds (Linux). */
export function busyMs({ pid }) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15)
  return (Number(user) + Number(system)) * 10
}

/** Waits until a product uses less than a quarter of a core: what it has left is not measured. */
export async function untilQuiet(product) {
  await within('product at rest', async () => {
    const before = busyMs(product)
    await pause(LOOK_MS)
    return busyMs(product) - before < LOOK_MS / 4
  })
}
