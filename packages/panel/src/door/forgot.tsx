import { fill, readForm } from '@cofre/pages'
import { Hono } from 'hono'
import { originOf } from '../frame/page-act.js'
import type { ConsolePeople, PanelParts } from '../visit/panel-parts.js'
import { PostForm } from '../part/parts.js'
import { renderPage } from '../frame/render-page.js'
import { type PanelContext, type PanelEnv, useTexts } from '../visit/visit.js'
import { EmailField } from './fields.js'
import { DOOR_TEXTS } from './texts.js'

/** Pages that reset a forgotten password by e-mail. */
export function forgotRoutes(parts: PanelParts, people: ConsolePeople): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()

  app.get('/forgot', (c) => {
    const { title } = DOOR_TEXTS[c.var.language].forgot
    const body = <Forgot isMailed={parts.mailer !== undefined} />
    return renderPage(c, parts, { title, body })
  })

  // The response is sent first, and is the same for every e-mail, so that it doesn't reveal who has
  // an account.
  app.post('/forgot', async (c) => {
    const texts = DOOR_TEXTS[c.var.language].forgot
    const email = ((await readForm(c)).get('email') ?? '').trim()
    const letter = { email, texts: texts.letter }
    void write(c, { parts, people, letter }).catch((error: unknown) => {
      parts.log.warn({ error }, 'a letter with a new password was not sent')
    })
    return renderPage(c, parts, { title: texts.title, body: <EmailSent email={email} /> })
  })
  return app
}

interface Letter {
  readonly parts: PanelParts
  readonly people: ConsolePeople
  readonly letter: { readonly email: string; readonly texts: typeof DOOR_TEXTS.en.forgot.letter }
}

async function write(c: PanelContext, { parts, people, letter }: Letter): Promise<void> {
  const { mailer, publicUrl } = parts
  if (mailer === undefined) return
  const { email, texts } = letter
  const link = await people.links.forgotten(email, originOf(c, parts))
  if (link === undefined) return
  const text = fill(texts.text, { link: `${publicUrl}/link/${link.token.reveal()}` })
  await mailer.send({ to: link.email, subject: texts.subject, text })
}

function Forgot({ isMailed }: { readonly isMailed: boolean }) {
  const texts = useTexts(DOOR_TEXTS).forgot
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{isMailed ? texts.text : texts.noMail}</p>
      {isMailed && (
        <PostForm action="/forgot">
          <EmailField />
          <button>{texts.send}</button>
        </PostForm>
      )}
      <p>{texts.authenticator}</p>
      <p>
        <a href="/sign-in">{texts.back}</a>
      </p>
    </section>
  )
}

function EmailSent({ email }: { readonly email: string }) {
  const texts = useTexts(DOOR_TEXTS).forgot
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p role="status">{fill(texts.onItsWay, { email })}</p>
      <p>
        <a href="/sign-in">{texts.back}</a>
      </p>
    </section>
  )
}
