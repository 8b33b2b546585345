// A load of HTTP requests over keep-alive connections, made in this process; what is measured runs
// in others.
import http from 'node:http'
import { median } from './compare.mjs'

/**
 * Sends requests over so many connections, each the next as soon as it is answered, until they or
 * the time are used up.
 * @param load.requests - An iterator of `{ method, path, headers, body }`.
 * @returns how many were answered, how many a second, the median and 99th percentile of their
 * latency in milliseconds, and each exchange with the time when it was sent
 */
export async function drive({ port, connections, seconds = 60, requests, expectStatus = 201 }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const exchanges = []
  const startedAt = performance.now()
  const deadline = startedAt + seconds * 1000
  const run = async () => {
    for (const request of requests) {
      const sentAt = performance.now()
      if (sentAt >= deadline) return
      const status = await exchange(agent, port, request)
      if (status !== expectStatus) throw new Error(`${request.path} was answered ${status}`)
      const ms = performance.now() - sentAt
      exchanges.push({ sentAt: performance.timeOrigin + sentAt, ms })
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  const elapsedMs = performance.now() - startedAt
  agent.destroy()
  const latencies = exchanges.map(({ ms }) => ms)
  return {
    count: exchanges.length,
    perSecond: (exchanges.length * 1000) / elapsedMs,
    p50Ms: median(latencies),
    p99Ms: percentile(latencies, 0.99),
    exchanges,
  }
}

/** What so large a share of some numbers stays below. */
export function percentile(numbers, share) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]
}

/** The same request for ever. */
export function* repeated(request) {
  for (;;) yield request
}

function exchange(agent, port, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent, port, host: '127.0.0.1', method, path, headers },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      },
    )
    request.once('error', reject)
    request.end(body)
  })
}

/** One request, with its answer as JSON: for preparations. */
export async function ask(url, init) {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
