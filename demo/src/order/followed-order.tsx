import type { PropsWithChildren } from 'hono/jsx'
import type { Messages } from '../language/messages.js'
import { assetUrl } from '../page/static-asset-routes.js'
import { stateName } from './order-notice.js'
import { type Order, isMoving, orderVersion } from './order.js'

const MOVING_POLL_MS = 2_000
const SETTLED_POLL_MS = 20_000

interface FollowedOrderProps {
  readonly order: Order
  /** The page's own address; the order's version is below it. */
  readonly path: string
  readonly messages: Messages
}

export function FollowScript() {
  return <script type="module" src={assetUrl('follow-order.js')} />
}

/** What the script replaces when the order changes while its page is open, and where it says so. */
export function FollowedOrder(props: PropsWithChildren<FollowedOrderProps>) {
  const { order, path, messages, children } = props
  return (
    <>
      <div
        id="followed-order"
        tabindex={-1}
        data-version={orderVersion(order)}
        data-path={path}
        data-poll-ms={isMoving(order) ? MOVING_POLL_MS : SETTLED_POLL_MS}
        data-news={`${messages.order.news}: ${stateName(order, messages)}`}
      >
        {children}
      </div>
      <p id="order-news" class="visually-hidden" role="status"></p>
    </>
  )
}
