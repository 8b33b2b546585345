import { styleText } from 'node:util'
import { type MerchantClientOptions, createSandboxClient } from '@cofre/merchant'
import type { CommandContext, Shown, Shows } from '../line/command.js'
import { type SandboxAddress, sandboxError, sandboxOptions } from './sandbox.js'
import { followSandbox } from './sandbox-stream.js'

/** Display of a stream of the sandbox. */
interface Following {
  /** Path with query, in the sandbox. */
  readonly target: string
  /** Output after the stream is connected. */
  readonly ready: (options: MerchantClientOptions) => Shows
  /** Output for an event. */
  readonly show: (event: unknown) => Shows
  /** Output after the person at the terminal typed a line. */
  readonly typed?: ((line: string) => Shows) | undefined
}

/** Shows events of the sandbox until stopped. @throws SandboxError, SetupError */
export async function* following(
  context: CommandContext,
  address: SandboxAddress,
  { target, ready, show, typed }: Following,
): Shows {
  const options = sandboxOptions(context, address)
  const signal = context.stopping ?? new AbortController().signal
  const ended = new AbortController()
  const lines = typed && context.lines?.(ended.signal)
  const events = followSandbox(createSandboxClient(options), { target, signal })
  let isReady = false
  try {
    for await (const followed of lines === undefined ? events : withLines(events, lines)) {
      if (typeof followed === 'string') {
        if (typed !== undefined) yield* typed(followed)
        continue
      }
      if (followed.kind === 'event') yield* show(followed.data)
      else if (followed.kind === 'lost') yield lost(options)
      else if (isReady) yield connectedAgain()
      else yield* ready(options)
      isReady = true
    }
  } catch (error) {
    throw sandboxError(error, options)
  } finally {
    // Otherwise the terminal would keep the process alive.
    ended.abort()
  }
}

/** Events and lines in order of arrival, until the events end. */
async function* withLines<T>(
  events: AsyncIterable<T>,
  lines: AsyncIterable<string>,
): AsyncGenerator<T | string> {
  const [event, line] = [events[Symbol.asyncIterator](), lines[Symbol.asyncIterator]()]
  let nextEvent = event.next()
  let nextLine = line.next()
  for (;;) {
    const isLine = await Promise.race([nextEvent.then(() => false), nextLine.then(() => true)])
    const next = await (isLine ? nextLine : nextEvent)
    if (next.done !== true) yield next.value
    else if (!isLine) return
    if (!isLine) nextEvent = event.next()
    // A closed terminal has no more lines.
    else nextLine = next.done === true ? new Promise(() => undefined) : line.next()
  }
}

function lost({ baseUrl }: MerchantClientOptions): Shown {
  const text = `The connection to ${baseUrl} is lost; reconnecting. No request will be missed.\n`
  return { data: { type: 'lost' }, text: styleText('yellow', text) }
}

function connectedAgain(): Shown {
  return { data: { type: 'connected' }, text: 'Connected again.\n' }
}

/** Time of day by this machine's clock. */
export function timeOfDay(atMs: number): string {
  return styleText('dim', new Date(atMs).toTimeString().slice(0, 8))
}

export function styledStatus(status: number): string {
  const colour = status < 300 ? 'green' : status < 400 ? 'yellow' : 'red'
  return styleText(colour, String(status))
}
