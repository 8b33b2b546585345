import { Notice, fill } from '@cofre/pages'
import { type InboxItem, openInbox, receive, setInboxAnswer } from '@cofre/sandbox'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { SandboxParts } from '../visit/panel-parts.js'
import { Copyable, Facts, MessageBody, PostForm, Select, Time } from '../part/parts.js'
import { type ConsolePages, SANDBOX_TOOL, done, refused } from '../frame/console-pages.js'
import { useView, useTexts } from '../visit/visit.js'
import { SANDBOX_TEXTS } from './texts.js'

const NOTIFICATION_BYTES_MAX = 64 * 1024
/** Headers of a signed-in browser; notifications have none of them. */
const PERSONAL_HEADERS = ['cookie', 'authorization']

/** Receives notifications without a sign-in, at an unguessable path. */
export function inboxRoutes({ sandbox }: SandboxParts): Hono {
  const app = new Hono()
  const tooLarge = 'a notification has at most 64 KiB'
  const onError = () => new Response(tooLarge, { status: 413 })
  app.use(bodyLimit({ maxSize: NOTIFICATION_BYTES_MAX, onError }))
  app.post('/*', async (c) => {
    const headers = Object.fromEntries(
      Object.entries(c.req.header()).filter(([name]) => !PERSONAL_HEADERS.includes(name)),
    )
    const answer = await receive(sandbox, c.req.path, { headers, body: await c.req.text() })
    if (answer === undefined) return c.text('no receiver at this address', 404)
    return new Response('', { status: answer.statusCode })
  })
  return app
}

/** The page of the built-in receiver. */
export function receiverPages({ page, action }: ConsolePages, parts: SandboxParts): void {
  const { inboxOrigin, sandbox } = parts

  page('/receiver', async ({ storeId, view }) => {
    const { path, answer, items } = await openInbox(sandbox, storeId)
    const texts = SANDBOX_TEXTS[view.language].receiver
    const body = (
      <>
        <section class="card">
          <h2>{texts.url}</h2>
          <Copyable id="receiver-url" text={`${inboxOrigin}${path}`} label={texts.url} block />
          <AnswerForm answer={answer} />
        </section>
        <section>
          <h2>{texts.items}</h2>
          <Items items={items} />
        </section>
      </>
    )
    return { body }
  })

  action('/receiver/answer', SANDBOX_TOOL, async ({ storeId, view }, form) => {
    const status = form.get('status') ?? ''
    if (!Object.hasOwn(SANDBOX_TEXTS[view.language].receiver.answers, status))
      return refused('form-incomplete')
    await setInboxAnswer(sandbox, storeId, Number(status))
    return done('answer-set')
  })

  action('/receiver/empty', SANDBOX_TOOL, async ({ storeId }) => {
    await sandbox.inboxes.empty(storeId)
    return done('receiver-emptied')
  })
}

function AnswerForm({ answer }: { readonly answer: number }) {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).receiver
  return (
    <PostForm action={at('/receiver/answer')} class="inline-form actions">
      <Select
        name="status"
        label={texts.answer}
        options={texts.answers}
        chosen={String(answer)}
        hintId="answer-hint"
      />
      <button>{texts.apply}</button>
      <p class="hint" id="answer-hint">
        {texts.answerHint}
      </p>
    </PostForm>
  )
}

function Items({ items }: { readonly items: readonly InboxItem[] }) {
  const { at, texts: all } = useView()
  const texts = useTexts(SANDBOX_TEXTS).receiver
  const { frame } = all
  if (items.length === 0) return <Notice {...texts.empty} />
  return (
    <>
      {items.map(({ id, atMs, statusCode, headers, body }) => (
        <article class="card">
          <p class="request-line actions">
            <span class={`badge ${statusCode === 200 ? 'good' : 'bad'}`}>
              {fill(frame.answered, { status: statusCode })}
            </span>
            <Time ms={atMs} class="end" />
          </p>
          <MessageBody label={texts.body} text={body} />
          <details data-keep={`item-${id}`}>
            <summary>{texts.headers}</summary>
            <Facts
              facts={Object.entries(headers).map(([name, value]) => [name, <code>{value}</code>])}
            />
          </details>
        </article>
      ))}
      <PostForm action={at('/receiver/empty')}>
        <button class="quiet">{texts.emptyIt}</button>
      </PostForm>
    </>
  )
}
