import { ALL_LINKS, type NotifiedPause } from '../model/card-pause.js'
import { fill } from '@cofre/pages'
import { PAYMENT_LINK_TEXTS } from './texts.js'
import { PostForm, Time, formatCount, useTexts, useView } from '@cofre/panel/page'

interface CardPausesProps {
  readonly pauses: readonly NotifiedPause[]
}

/** The running pauses of cards; a person who may create links may lift them. */
export function CardPauses({ pauses }: CardPausesProps) {
  return (
    <>
      {pauses.map((pause) => (
        <PauseNotice {...pause} />
      ))}
    </>
  )
}

function PauseNotice({ linkId, reference, declines, endsAtMs }: NotifiedPause) {
  const { at, language, may } = useView()
  const { all, lift, one, text, title } = useTexts(PAYMENT_LINK_TEXTS)['payment-links'].pause
  const isAll = linkId === ALL_LINKS
  const lifting = isAll ? '/payment-links/lift' : `/payment-links/${linkId}/lift`
  return (
    <section class="notice" data-testid="card-pause">
      <h2>{title}</h2>
      <p>
        {isAll ? (
          all
        ) : (
          <a href={at(`/payment-links/${linkId}`)}>{fill(one, { reference: reference ?? '' })}</a>
        )}
      </p>
      <p>
        {fill(text, { declines: formatCount(declines, language) })} <Time ms={endsAtMs} />
      </p>
      {may('payment-links:write') && (
        <PostForm action={at(lifting)}>
          <button class="quiet">{lift}</button>
        </PostForm>
      )}
    </section>
  )
}
