import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

interface Answer<Value> {
  readonly answer?: Value
  readonly error?: unknown
}

/**
 * Runs a third-party library in a clean process: a proxy's address in the environment would
 * redirect the library.
 * @param script - Answers messages with a list of calls.
 * @param redirect - Loaded before the library if its hosts are fixed.
 */
export function startLibrary<Value = unknown>(
  script: URL,
  environ: Readonly<Record<string, string>>,
  redirect?: URL,
) {
  const { SystemRoot } = process.env
  const child = fork(fileURLToPath(script), {
    // A URL, because Windows parses a drive's letter as a scheme.
    execArgv: redirect === undefined ? [] : ['--import', redirect.href],
    env: { ...(SystemRoot !== undefined && { SystemRoot }), ...environ },
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script.pathname} ended with ${String(code)}`)
  })
  // Without a call in progress, nothing awaits it.
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
