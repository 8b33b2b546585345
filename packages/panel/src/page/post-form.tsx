import type { PropsWithChildren } from 'hono/jsx'
import type { View } from '../panel-context.js'

interface PostFormProps {
  readonly view: View
  readonly action: string
  readonly class?: string
  readonly id?: string
}

/** A form that changes something: with the token that shows whose it is, and the page to come back to. */
export function PostForm({ view, action, children, ...rest }: PropsWithChildren<PostFormProps>) {
  return (
    <form method="post" action={action} {...rest}>
      <input type="hidden" name="csrf" value={view.csrfToken} />
      <input type="hidden" name="here" value={view.here} />
      {children}
    </form>
  )
}
