import { styleText } from 'node:util'
import { type MerchantClientOptions, createSandboxClient } from '@cofre/merchant'
import type { CommandContext, Shown, Shows } from './command.js'
import { type SandboxAddress, sandboxError, sandboxOptions } from './sandbox.js'
import { followSandbox } from './sandbox-stream.js'

/** How a stream of the sandbox is shown. */
interface Following {
  /** Of the sandbox: a path with its query. */
  readonly target: string
  /** What is shown once the stream is there. */
  readonly ready: (options: MerchantClientOptions) => Shows
  /** What is shown of an event. */
  readonly show: (event: unknown) => Shows
  /** What is shown when the person at the terminal has typed a line. */
  readonly typed?: ((line: string) => Shows) | undefined
}

/** Shows what happens in the sandbox, until somebody ends it. @throws SandboxError, SetupError */
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
    // Else the terminal would hold the process.
    ended.abort()
  }
}

/** Events and lines as they come, to the end of the events. */
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
    // A terminal that is closed has no more lines.
    else nextLine = next.done === true ? new Promise(() => undefined) : line.next()
  }
}

function lost({ baseUrl }: MerchantClientOptions): Shown {
  const text = `The connection to ${baseUrl} is lost; trying again. Nothing will be missing.\n`
  return { data: { type: 'lost' }, text: styleText('yellow', text) }
}

function connectedAgain(): Shown {
  return { data: { type: 'connected' }, text: 'Connected again.\n' }
}

/** The time on this machine's clock. */
export function timeOfDay(atMs: number): string {
  return styleText('dim', new Date(atMs).toTimeString().slice(0, 8))
}

/** A status in the colour of its class. */
export function styledStatus(status: number): string {
  const colour = status < 300 ? 'green' : status < 400 ? 'yellow' : 'red'
  return styleText(colour, String(status))
}
