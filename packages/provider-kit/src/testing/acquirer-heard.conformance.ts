// A process's output besides its log: its console, its streams, and the addresses of its calls.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import process from 'node:process'
import { inspect } from 'node:util'
import { vi } from 'vitest'

export interface Heard {
  /** Output on the console or a stream. */
  readonly printed: readonly string[]
  /** Addresses requested over HTTP, by any client of undici. */
  readonly addresses: readonly string[]
  stop(): void
}

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const

/** Listens without an effect on output and calls. */
export function listenToAll(): Heard {
  const printed: string[] = []
  const addresses: string[] = []
  const note = (...values: readonly unknown[]) => {
    for (const value of values)
      printed.push(typeof value === 'string' ? value : inspect(value, { depth: 9 }))
  }
  const spies = METHODS.map((method) => {
    const print = console[method].bind(console) as (...values: unknown[]) => void
    return vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      note(...values)
      print(...values)
    })
  })
  const streams = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write.bind(stream) as (...values: unknown[]) => boolean
    return vi.spyOn(stream, 'write').mockImplementation((...values: unknown[]) => {
      note(String(values[0]))
      return write(...values)
    })
  })
  const stopAddresses = listenToAddresses((address) => addresses.push(address))
  return {
    printed,
    addresses,
    stop() {
      stopAddresses()
      for (const spy of [...spies, ...streams]) spy.mockRestore()
    },
  }
}

/** undici's own: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
const REQUEST_MADE = 'undici:request:create'

/**
 * Listens for each request before its connection.
 * @returns the function that stops it
 */
export function listenToAddresses(hear: (address: string) => void): () => void {
  const onRequest = (message: unknown) => {
    const { request } = message as { request: { origin: string | URL; path: string } }
    hear(`${new URL(request.origin).origin}${request.path}`)
  }
  subscribe(REQUEST_MADE, onRequest)
  return () => {
    unsubscribe(REQUEST_MADE, onRequest)
  }
}
