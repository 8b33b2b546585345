import { Notice } from '@cofre/pages'
import type { LinkState } from '../../model/payment-link.js'
import type { ShownLink } from '../../model/payment-page.js'
import { useView } from '../frame/view.js'

/** A link that can no longer be paid. */
export function ClosedPage({
  link,
  state,
}: {
  readonly link: ShownLink
  readonly state: Exclude<LinkState, 'payable'>
}) {
  const { texts } = useView()
  return (
    <div data-testid="closed" data-closed={state}>
      <Notice {...texts.closed[state]} level="page">
        <p class="lead">{link.description}</p>
        {(state === 'reserved' || state === 'paid') && link.successUrl !== undefined && (
          <a class="button" href={link.successUrl}>
            {texts.try.goOn}
          </a>
        )}
      </Notice>
    </div>
  )
}
