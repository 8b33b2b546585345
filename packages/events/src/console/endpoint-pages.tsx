import { ENDPOINT_CODE } from '@cofre/contracts'
import { fill } from '@cofre/pages'
import {
  type ActionResult,
  type ActionRule,
  type ConsolePages,
  Copyable,
  type Form,
  PostForm,
  type Visit,
  done,
  formatTime,
  portAt,
  refused,
  useTexts,
  useView,
} from '@cofre/panel/page'
import type { EventEndpoint, WithSecret } from '../model/endpoint.js'
import { EMPTY_ENDPOINT, EndpointForm, readEndpoint } from './endpoint-form.js'
import type { EventParts } from './parts.js'
import { EVENTS_TEXTS } from './texts.js'

const WRITES = { needs: 'event-endpoints:write' } as const
const CREATE = { ...WRITES, act: 'event-endpoint:create', stepUp: true } as const
const CHANGE = { ...WRITES, act: 'event-endpoint:change', stepUp: true } as const
const ROTATE = { ...WRITES, act: 'event-endpoint:rotate', stepUp: true } as const
const DELETE = {
  ...WRITES,
  act: 'event-endpoint:delete',
  stepUp: true,
} as const satisfies ActionRule

/** The pages of a new endpoint, and of one that is changed, gets a new secret or is deleted. */
export function endpointPages({ page, action }: ConsolePages, parts: EventParts): void {
  page('/events/endpoints/new', WRITES, (visit) => {
    const code = portAt(parts.events, visit).drawCode()
    return newPage(visit, { typed: EMPTY_ENDPOINT, code })
  })
  action('/events/endpoints/new', CREATE, (visit, form) => create(parts, visit, form))

  page('/events/endpoints/:code', WRITES, async (visit) => {
    const endpoint = await findEndpoint(parts, visit)
    return endpoint && changePage(visit, endpoint)
  })
  action('/events/endpoints/:code', CHANGE, (visit, form) => change(parts, visit, form))
  action('/events/endpoints/:code/secret', ROTATE, (visit, form) => rotate(parts, visit, form))
  action('/events/endpoints/:code/delete', DELETE, async (visit, form) => {
    const to = { to: visit.view.at('/events') }
    if (form.get('confirm') !== 'yes') return refused('form-incomplete')
    const isDeleted = await portAt(parts.events, visit).delete(keyOf(visit))
    return isDeleted ? done('endpoint-deleted', { ...to, ...detailOf(visit) }) : refused('gone', to)
  })
  // A person who signs in again after one of these is sent to its address.
  for (const act of ['secret', 'delete'])
    page(`/events/endpoints/:code/${act}`, WRITES, ({ c, view }) =>
      c.redirect(view.at(`/events/endpoints/${c.req.param('code')}`)),
    )
}

function keyOf({ c, storeId }: Visit) {
  return { storeId, code: c.req.param('code') ?? '' }
}

/** The log of acts names the endpoint. */
const detailOf = (visit: Visit) => ({ detail: { endpoint: keyOf(visit).code } })

async function findEndpoint(parts: EventParts, visit: Visit): Promise<EventEndpoint | undefined> {
  const { storeId, code } = keyOf(visit)
  const all = await portAt(parts.events, visit).endpoints(storeId)
  return all.find((one) => one.code === code)
}

/** The form has the new endpoint's code: one that is sent twice adds one endpoint. */
async function create(parts: EventParts, visit: Visit, form: Form): Promise<ActionResult> {
  const events = portAt(parts.events, visit)
  const typed = readEndpoint(form)
  const drawn = form.get('endpoint') ?? ''
  const code = ENDPOINT_CODE.test(drawn) ? drawn : events.drawCode()
  const made = await events.create(visit.storeId, typed, code)
  return 'failures' in made
    ? { again: newPage(visit, { typed, code }, made) }
    : shownOnce(visit, made)
}

async function change(parts: EventParts, visit: Visit, form: Form): Promise<ActionResult> {
  const { view } = visit
  const to = { to: view.at('/events') }
  const typed = readEndpoint(form)
  const changed = await portAt(parts.events, visit).change(keyOf(visit), typed)
  if (changed === undefined) return refused('gone', to)
  if (!('failures' in changed)) return done('endpoint-changed', { ...to, ...detailOf(visit) })
  const endpoint = await findEndpoint(parts, visit)
  if (endpoint === undefined) return refused('gone', to)
  return { again: changePage(visit, { ...endpoint, ...typed }, changed) }
}

/** The form has the state that it was shown with: one that is sent twice rotates once. */
async function rotate(parts: EventParts, visit: Visit, form: Form): Promise<ActionResult> {
  const to = { to: visit.view.at('/events') }
  if (form.get('confirm') !== 'yes') return refused('form-incomplete')
  const seen = form.get('seen') ?? ''
  const seenUntilMs = /^\d{1,15}$/.test(seen) ? Number(seen) : undefined
  const rotated = await portAt(parts.events, visit).rotate(keyOf(visit), seenUntilMs)
  return rotated === undefined ? refused('secret-replaced', to) : shownOnce(visit, rotated)
}

function shownOnce({ view }: Visit, made: WithSecret): ActionResult {
  const { title } = EVENTS_TEXTS[view.language].secret
  const { code } = made.endpoint
  return { once: { title, body: <NewSecret {...made} /> }, detail: { endpoint: code } }
}

function NewSecret({ endpoint, secret }: WithSecret) {
  const { at, language } = useView()
  const texts = useTexts(EVENTS_TEXTS).secret
  const { previousUntilMs, url } = endpoint
  return (
    <section class="card">
      <p>
        {texts.text} <code>{url}</code>
      </p>
      {previousUntilMs !== undefined && (
        <p>{fill(texts.previous, { until: formatTime(previousUntilMs, language) })}</p>
      )}
      <Copyable id="secret" text={secret.reveal()} label={texts.label} block />
      <p>
        <a class="button" href={at('/events')}>
          {texts.back}
        </a>
      </p>
    </section>
  )
}

type FormProps = Parameters<typeof EndpointForm>[0]
type Wrong = Pick<FormProps, 'failures'>

function newPage({ view }: Visit, form: Pick<FormProps, 'typed' | 'code'>, wrong: Wrong = {}) {
  const { title, submit } = EVENTS_TEXTS[view.language].create
  const action = view.at('/events/endpoints/new')
  const body = <EndpointForm action={action} submit={submit} {...form} {...wrong} />
  return { title, heading: <Heading title={title} />, body, still: true } as const
}

interface Shown extends Pick<EventEndpoint, 'code' | 'previousUntilMs' | 'enabled' | 'url'> {
  readonly types: readonly string[] | undefined
}

function changePage({ view }: Visit, endpoint: Shown, wrong: Wrong = {}) {
  const { title, submit } = EVENTS_TEXTS[view.language].change
  const { code, enabled, types = [], url } = endpoint
  const typed = { url, types, enabled }
  const action = view.at(`/events/endpoints/${code}`)
  const body = (
    <>
      <EndpointForm action={action} typed={typed} submit={submit} {...wrong} />
      <RotateForm {...endpoint} />
      <DeleteForm {...endpoint} />
    </>
  )
  return { title, heading: <Heading title={title} />, body, still: true } as const
}

function Heading({ title }: { readonly title: string }) {
  const { at } = useView()
  return (
    <>
      <p class="minor">
        <a href={at('/events')}>{useTexts(EVENTS_TEXTS).events.title}</a>
      </p>
      <h1>{title}</h1>
    </>
  )
}

function RotateForm({ code, previousUntilMs }: Shown) {
  const { at } = useView()
  const texts = useTexts(EVENTS_TEXTS).rotate
  return (
    <PostForm action={at(`/events/endpoints/${code}/secret`)} class="card">
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <input type="hidden" name="seen" value={previousUntilMs ?? ''} />
      <label class="choice">
        <input type="checkbox" name="confirm" value="yes" required />
        {texts.confirm}
      </label>
      <button>{texts.submit}</button>
    </PostForm>
  )
}

function DeleteForm({ code }: Shown) {
  const { at } = useView()
  const texts = useTexts(EVENTS_TEXTS).remove
  return (
    <PostForm action={at(`/events/endpoints/${code}/delete`)} class="card">
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <label class="choice">
        <input type="checkbox" name="confirm" value="yes" required />
        {texts.confirm}
      </label>
      <button class="bad">{texts.submit}</button>
    </PostForm>
  )
}
