import type { PropsWithChildren } from 'hono/jsx'
import type { Messages } from '../language/messages.js'

interface DemoHintProps {
  readonly messages: Messages
}

/** Something to know that a real shop does not have. */
export function DemoHint({ messages, children }: PropsWithChildren<DemoHintProps>) {
  return (
    <p class="demo-hint">
      <strong>{messages.checkout.test.title}</strong> {children}
    </p>
  )
}

/** A real back office asks who is there. */
export function OpenNote({ messages }: DemoHintProps) {
  return <DemoHint messages={messages}>{messages.backOffice.openNote}</DemoHint>
}

interface PanelHintProps extends DemoHintProps {
  readonly panelUrl: string | undefined
  /** The service's identifier of the order; without it the link leads to the list. */
  readonly code: string | undefined
}

/** Where a developer changes the status of a payment; nothing without a panel. */
export function PanelHint({ panelUrl, code, messages }: PanelHintProps) {
  const address = code === undefined ? panelUrl : `${panelUrl}/transactions/${code}`
  const { panel } = messages.order
  return panelUrl === undefined ? null : (
    <DemoHint messages={messages}>
      {panel.text}{' '}
      <a href={address} target="_blank" rel="noopener" data-testid="panel-link">
        {panel.link}
      </a>
    </DemoHint>
  )
}
