/** An event of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly name: string
  /** What to send as `Last-Event-ID`, to go on behind it. */
  readonly id: string
  readonly data: string
}

/** Reads a stream of server-sent events as the sandbox writes it. Comments are left out. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    // What has not ended yet.
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== undefined) yield event
    }
  }
}

function eventOf(block: string): ServerSentEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { name: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data }
}
