import { fill } from '@cofre/pages'
import type { Merchant } from '@cofre/gateway/room'
import type { SettingsResult } from '../../model/store-settings.js'
import {
  type ConsolePages,
  done,
  refused,
  PostForm,
  type Visit,
  useView,
  useTexts,
} from '@cofre/panel/page'
import { authorOf } from './setting-author.js'
import { Field } from './setting-field.js'
import { STORE_CHANGE } from './settings.js'
import { type StoreParts, deskAt } from './parts.js'
import { STORE_TEXTS } from './texts.js'

const ORIGIN_LENGTH_MAX = 200

/** The origins of pages that may show the store's card fields. */
export function originPages({ page, action }: ConsolePages, parts: StoreParts): void {
  page('/store/origins', { needs: 'store:change' }, async (visit) => {
    const merchant = await deskAt(parts, visit).findMerchant(visit.storeId)
    return merchant && { ...shownOrigins(visit, merchant), still: true }
  })
  // A person who signs in again after a removal is sent to this address.
  page('/store/origins/remove', { needs: 'store:change' }, ({ c, view }) =>
    c.redirect(view.at('/store/origins')),
  )

  action('/store/origins', STORE_CHANGE, async (visit, form) => {
    const { storeId, view } = visit
    const desk = deskAt(parts, visit)
    const typed = (form.get('origin') ?? '').trim()
    const author = authorOf(parts, visit)
    const result = await desk.addFieldOrigin(storeId, typed, author)
    const to = { to: view.at('/store/origins') }
    if ('changed' in result)
      return done('origin-added', { ...to, detail: { originAdded: addedOf(result) } })
    const { refused: why } = result
    if (why === 'not-allowed') return refused('not-allowed', { to: view.at('/store') })
    const merchant = await desk.findMerchant(storeId)
    if (why === 'no-store' || merchant === undefined) return refused('gone', to)
    return { again: shownOrigins(visit, merchant, { typed, why }) }
  })

  action('/store/origins/remove', STORE_CHANGE, async (visit, form) => {
    const { storeId, view } = visit
    const desk = deskAt(parts, visit)
    const to = { to: view.at('/store/origins') }
    const origin = form.get('origin') ?? ''
    if (form.get('confirm') !== 'yes') return refused('form-incomplete', to)
    const author = authorOf(parts, visit)
    const result = await desk.removeFieldOrigin(storeId, origin, author)
    if ('changed' in result)
      return done('origin-removed', { ...to, detail: { originRemoved: origin } })
    if (result.refused === 'not-allowed') return refused('not-allowed', { to: view.at('/store') })
    return refused(result.refused === 'unknown' ? 'origin-unknown' : 'gone', to)
  })
}

/** The origin in its parsed form: the last one. */
function addedOf({ changed }: Extract<SettingsResult<never>, { changed: unknown }>): string {
  const to = changed.fieldOrigins?.to
  return Array.isArray(to) ? String(to.at(-1)) : ''
}

interface RefusedOrigin {
  readonly typed: string
  readonly why: 'malformed' | 'known' | 'too-many'
}

function shownOrigins({ view }: Visit, { fieldOrigins }: Merchant, wrong?: RefusedOrigin) {
  const { title } = STORE_TEXTS[view.language].store.origins
  const body = <Origins origins={fieldOrigins} wrong={wrong} />
  return { title, heading: <h1>{title}</h1>, body }
}

interface OriginsProps {
  readonly origins: readonly string[]
  readonly wrong: RefusedOrigin | undefined
}

function Origins({ origins, wrong }: OriginsProps) {
  const { at } = useView()
  const texts = useTexts(STORE_TEXTS).store.origins
  return (
    <>
      <section class="card">
        <h2>{texts.list}</h2>
        <p>{texts.text}</p>
        {origins.length === 0 && <p>{texts.none}</p>}
        <ul class="origins">
          {origins.map((origin) => (
            <li>
              <code>{origin}</code>
              <RemoveForm origin={origin} />
            </li>
          ))}
        </ul>
      </section>
      <PostForm action={at('/store/origins')} class="card">
        <h2>{texts.add}</h2>
        <Field
          name="origin"
          label={texts.origin}
          hint={texts.originHint}
          problem={wrong && texts.problems[wrong.why]}
        >
          {(described) => (
            <input
              {...described}
              value={wrong?.typed ?? ''}
              inputmode="url"
              required
              maxlength={ORIGIN_LENGTH_MAX}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              autofocus={wrong !== undefined}
            />
          )}
        </Field>
        <button>{texts.submit}</button>
      </PostForm>
      <p>
        <a href={at('/store')}>{useTexts(STORE_TEXTS).store.settings.back}</a>
      </p>
    </>
  )
}

/** Shoppers type cards on a listed page, so its removal needs a confirmation. */
function RemoveForm({ origin }: { readonly origin: string }) {
  const { at } = useView()
  const texts = useTexts(STORE_TEXTS).store.origins
  return (
    <details>
      <summary aria-label={fill(texts.removeOf, { origin })}>{texts.remove}</summary>
      <PostForm action={at('/store/origins/remove')}>
        <input type="hidden" name="origin" value={origin} />
        <p>{texts.removeText}</p>
        <label class="choice">
          <input type="checkbox" name="confirm" value="yes" required />
          {fill(texts.confirm, { origin })}
        </label>
        <button class="bad">{fill(texts.removeOf, { origin })}</button>
      </PostForm>
    </details>
  )
}
