import type { View } from '../panel-context.js'
import { pageMessages } from './page-messages.js'

interface MessageBodyProps {
  readonly view: View
  readonly label: string
  readonly text: string | undefined
}

/** The body of a request or an answer: JSON in lines, anything else as it is. */
export function MessageBody({ view, label, text }: MessageBodyProps) {
  return (
    <figure class="message-body">
      <figcaption>{label}</figcaption>
      {text === undefined || text === '' ? (
        <p>{pageMessages[view.language].none}</p>
      ) : (
        <pre tabindex={0} role="group" aria-label={label}>
          <code>{inLines(text)}</code>
        </pre>
      )}
    </figure>
  )
}

function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    // Not JSON, or only its beginning.
    return text
  }
}
