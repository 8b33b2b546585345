import { ALL_LINKS, type ToldPause } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import { PostForm, Time } from '../frame/parts.js'
import { useView } from '../frame/visit.js'
import { formatCount } from '../text/format.js'

interface CardPausesProps {
  readonly pauses: readonly ToldPause[]
}

/** Where cards are paused because they are being tested; who may make links may lift it. */
export function CardPauses({ pauses }: CardPausesProps) {
  return (
    <>
      {pauses.map((pause) => (
        <PauseNotice {...pause} />
      ))}
    </>
  )
}

function PauseNotice({ linkId, reference, declines, endsAtMs }: ToldPause) {
  const { at, language, may, texts } = useView()
  const { all, lift, one, text, title } = texts['payment-links'].pause
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
