import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

interface Answer<Value> {
  readonly answer?: Value
  readonly error?: unknown
}

/**
 * Runs a stranger's library in a process of its own, which has nothing else of ours: a proxy's
 * address in the environment would lead the library elsewhere.
 * @param script - It answers messages with a list of calls.
 * @param redirect - Loaded before the library, where its hosts are fixed.
 */
export function startLibrary<Value = unknown>(
  script: URL,
  environ: Readonly<Record<string, string>>,
  redirect?: URL,
) {
  const { SystemRoot } = process.env
  const child = fork(fileURLToPath(script), {
    // A URL, because Windows takes a drive's letter for a scheme.
    execArgv: redirect === undefined ? [] : ['--import', redirect.href],
    env: { ...(SystemRoot !== undefined && { SystemRoot }), ...environ },
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script.pathname} ended with ${String(code)}`)
  })
  // Without a call under way nothing waits for it.
  ended.catch(() => undefined)
  return {
    async call(options: object, calls: readonly (readonly unknown[])[]) {
      const answered = once(child, 'message')
      child.send({ options, calls })
      const [answers] = (await Promise.race([answered, ended])) as [readonly Answer<Value>[]]
      return answers
    },
    async close(): Promise<void> {
      child.kill()
      await ended.catch(() => undefined)
    },
  }
}
