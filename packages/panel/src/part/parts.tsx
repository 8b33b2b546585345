import type { Child, PropsWithChildren } from 'hono/jsx'
import { formatTime } from '../visit/format.js'
import { useView } from '../visit/visit.js'

interface PostFormProps {
  readonly action: string
  readonly class?: string
}

/** A form that changes something: with its browser's token, and the page to return to. */
export function PostForm({ children, ...form }: PropsWithChildren<PostFormProps>) {
  const { csrfToken, here } = useView()
  return (
    <form method="post" {...form}>
      <input type="hidden" name="csrf" value={csrfToken} />
      <input type="hidden" name="here" value={here} />
      {children}
    </form>
  )
}

interface SelectProps {
  readonly name: string
  readonly label: string
  /** Texts by value. */
  readonly options: Readonly<Record<string, string>>
  readonly chosen?: string
  /** The text of the empty choice. */
  readonly any?: string
  readonly hintId?: string
}

export function Select({ name, label, options, chosen, any, hintId }: SelectProps) {
  return (
    <label>
      {label}
      <select name={name} aria-describedby={hintId}>
        {any !== undefined && <option value="">{any}</option>}
        {Object.entries(options).map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function Time({ ms, class: extra }: { readonly ms: number; readonly class?: string }) {
  const { language } = useView()
  return (
    <time class={extra} datetime={new Date(ms).toISOString()}>
      {formatTime(ms, language)}
    </time>
  )
}

export type Fact = readonly [term: string, value: Child]

interface FactsProps {
  /** Terms with their values; terms without a value are left out. */
  readonly facts: readonly Fact[]
  readonly class?: string
}

export function Facts({ facts, class: extra = '' }: FactsProps) {
  return (
    <dl class={`facts ${extra}`}>
      {facts.map(
        ([term, value]) =>
          value !== undefined &&
          value !== false && (
            <div>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface CopyableProps {
  /** Id of the element to copy from; the same in every version of a page. */
  readonly id: string
  readonly text: string
  /** The copied value's name, for the button's name. */
  readonly label: string
  readonly block?: true
}

/** A text with a button that copies it; the button appears with the script. */
export function Copyable({ id, text, label, block }: CopyableProps) {
  const { copy, copied } = useView().texts.frame
  return (
    <div class="copyable actions">
      {block ? (
        <pre id={id} tabindex={0} role="group" aria-label={label}>
          <code>{text}</code>
        </pre>
      ) : (
        <code id={id}>{text}</code>
      )}
      <button type="button" class="quiet small" data-copy={id} data-copied={copied}>
        {copy}
        <span class="visually-hidden">: {label}</span>
      </button>
    </div>
  )
}

interface MessageBodyProps {
  readonly label: string
  readonly text: string | undefined
}

/** The body of a request or a response: JSON indented, anything else unchanged. */
export function MessageBody({ label, text }: MessageBodyProps) {
  return (
    <figure>
      <figcaption class="minor">{label}</figcaption>
      {text === undefined || text === '' ? (
        <p>{useView().texts.frame.none}</p>
      ) : (
        <pre tabindex={0} role="group" aria-label={label}>
          <code>{indented(text)}</code>
        </pre>
      )}
    </figure>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    // Not JSON, or truncated.
    return text
  }
}
