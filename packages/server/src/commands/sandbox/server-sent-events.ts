export interface ServerSentEvent {
  readonly name: string
  /** Value for `Last-Event-ID`, to continue after this event. */
  readonly id: string
  readonly data: string
}

/** Reads a stream of server-sent events in the sandbox's format. Ignores comments. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    // The incomplete rest.
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
