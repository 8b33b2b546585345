import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const VAULT = fileURLToPath(new URL('vault-process.mjs', import.meta.url))

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** A vault's process, restarted after it was killed. */
export class VaultProcess {
  readonly #settings: object
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #child: ChildProcess | undefined
  #asked = 0

  constructor(settings: object) {
    this.#settings = settings
  }

  async start(aheadMs: number): Promise<void> {
    const child = fork(VAULT, [JSON.stringify({ ...this.#settings, aheadMs })])
    await once(child, 'message')
    child.on('message', ({ id, result, error }: Reply) => {
      const asked = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) asked?.resolve(result)
      else asked?.reject(new Error(error))
    })
    this.#child = child
  }

  /** Resolves to `killed` if it was killed before it answered. */
  async ask<Result>(work: string, input?: unknown): Promise<Result | 'killed'> {
    if (this.#child === undefined) return 'killed'
    const id = this.#asked++
    const asked = Promise.withResolvers<unknown>()
    this.#waiting.set(id, asked)
    this.#child.send({ id, work, input })
    return (await asked.promise) as Result | 'killed'
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    for (const asked of this.#waiting.values()) asked.resolve('killed')
    this.#waiting.clear()
  }
}
