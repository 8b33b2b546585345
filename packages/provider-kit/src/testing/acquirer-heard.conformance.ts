// What a process says besides its log: its console, its streams, and the addresses that it asks.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import process from 'node:process'
import { inspect } from 'node:util'
import { vi } from 'vitest'

export interface Heard {
  /** By the console or a stream. */
  readonly printed: readonly string[]
  /** Asked for over HTTP, whichever of undici's clients did it. */
  readonly addresses: readonly string[]
  stop(): void
}

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const

/** Hears without holding anything up: all is printed and asked as before. */
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

/** Hears of each request before its connection. @returns What ends that. */
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
