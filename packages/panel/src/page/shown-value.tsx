import type { Child } from 'hono/jsx'
import { formatTime } from '../language/format.js'
import type { View } from '../panel-context.js'
import { pageMessages } from './page-messages.js'

interface TimeProps {
  readonly view: View
  readonly ms: number | undefined
}

export function Time({ view, ms }: TimeProps) {
  if (ms === undefined) return <>{pageMessages[view.language].none}</>
  return <time datetime={new Date(ms).toISOString()}>{formatTime(ms, view.language)}</time>
}

/** A term and what it is, in a `dl`. */
export function Fact({ term, children }: { readonly term: string; readonly children?: Child }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface CopyableProps {
  readonly view: View
  /** Of the element, to copy from; the same for every version of a page. */
  readonly id: string
  readonly text: string
  /** What is copied, for the button's name. */
  readonly label: string
  readonly block?: true
}

/** A text with a button that copies it; the button appears with the script. */
export function Copyable({ view, id, text, label, block }: CopyableProps) {
  const { copy, copied } = pageMessages[view.language]
  return (
    <div class={block ? 'copyable block' : 'copyable'}>
      {block ? (
        <pre id={id} tabindex={0} role="group" aria-label={label}>
          <code>{text}</code>
        </pre>
      ) : (
        <code id={id}>{text}</code>
      )}
      <button type="button" class="copy" data-copy={id} data-copied={copied} hidden>
        {copy}
        <span class="visually-hidden">: {label}</span>
      </button>
    </div>
  )
}
