// The notifications that stores receive, in the API's document.
import recorded from './openapi-examples.json' with { type: 'json' }
import texts from './openapi-texts.json' with { type: 'json' }

/** A complete request, as an example. */
export interface RequestExample {
  readonly summary: string
  /** Method and target. */
  readonly request: string
  readonly body?: unknown
}

/** The notifications, with examples of the bodies. */
export function webhooks(): object {
  const sent: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = recorded
  return Object.fromEntries(
    Object.entries(texts.webhooks).map(([id, { post }]) => {
      const examples = examplesOf(sent[id], ({ body }) => body)
      const { requestBody } = post
      const content = Object.entries(requestBody.content).map(
        ([mime, body]) => [mime, { ...body, ...examples }] as const,
      )
      const described = { ...requestBody, content: Object.fromEntries(content) }
      return [id, { post: { ...post, requestBody: described } }]
    }),
  )
}

export function examplesOf<Example extends RequestExample>(
  examples: Readonly<Record<string, Example>> = {},
  valueOf: (example: Example) => unknown,
): object {
  const shown = Object.entries(examples).flatMap(([name, example]) => {
    const { summary, request } = example
    const value = valueOf(example)
    return value === undefined ? [] : [[name, { summary, description: request, value }] as const]
  })
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }
}
