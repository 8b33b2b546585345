import type { Messages } from '../language/messages.js'

/** A real back office asks who is there. */
export function OpenNote({ messages }: { readonly messages: Messages }) {
  return (
    <p class="demo-hint">
      <strong>{messages.checkout.test.title}</strong> {messages.backOffice.openNote}
    </p>
  )
}
