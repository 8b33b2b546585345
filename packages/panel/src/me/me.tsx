import type { Passkey, StaffSession } from '@cofre/people'
import { fill } from '@cofre/pages'
import { NameField } from '../door/fields.js'
import { PostForm, Time } from '../part/parts.js'
import { browserNameOf } from './browser-name.js'
import { PasskeySection } from './passkey-section.js'
import { ME_TEXTS } from './texts.js'
import { useTexts } from '../visit/visit.js'

interface MeProps {
  readonly session: StaffSession
  /** All sessions of the person, including this one. */
  readonly sessions: readonly StaffSession[]
  readonly hasPassword: boolean
  readonly codesLeft: number
  /** Undefined if the console has no passkeys. */
  readonly passkeys: readonly Passkey[] | undefined
}

/** A person's own access. */
export function Me({ session, sessions, hasPassword, codesLeft, passkeys }: MeProps) {
  const texts = useTexts(ME_TEXTS).me
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{fill(texts.intro, { email: session.email })}</p>
      <section class="card">
        <h2>{texts.name}</h2>
        <PostForm action="/me/name">
          <NameField value={session.name} />
          <button>{texts.saveName}</button>
        </PostForm>
      </section>
      {passkeys !== undefined && <PasskeySection passkeys={passkeys} />}
      {hasPassword && (
        <section class="card">
          <h2>{texts.password.title}</h2>
          <PostForm action="/me/password/new">
            <button class="quiet">{texts.password.change}</button>
          </PostForm>
        </section>
      )}
      <section class="card">
        <h2>{texts.authenticator.title}</h2>
        <p>{hasPassword ? texts.authenticator.text : texts.authenticator.none}</p>
        <PostForm action="/me/authenticator/new">
          <button class="quiet">{texts.authenticator.change}</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>{texts.recovery.title}</h2>
        <p>{fill(texts.recovery.left, { count: String(codesLeft) })}</p>
        <PostForm action="/me/recovery-codes">
          <button class="quiet">{texts.recovery.make}</button>
        </PostForm>
      </section>
      <Sessions session={session} sessions={sessions} />
    </>
  )
}

function Sessions({ session, sessions }: Pick<MeProps, 'session' | 'sessions'>) {
  const texts = useTexts(ME_TEXTS).me.sessions
  const nameOf = (userAgent: string): string => {
    const name = browserNameOf(userAgent)
    return name === undefined ? userAgent : fill(texts.browserOn, { ...name })
  }
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <ul>
        {sessions.map(({ idHash, browser, address, createdAtMs, usedAtMs }) => (
          <li>
            <span title={browser}>{nameOf(browser)}</span>{' '}
            {idHash === session.idHash && <span class="badge good">{texts.current}</span>}
            <p class="minor">
              {texts.address} {address} · {texts.since} <Time ms={createdAtMs} /> · {texts.used}{' '}
              <Time ms={usedAtMs} />
            </p>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <PostForm action="/me/sessions/end">
          <button class="quiet">{texts.end}</button>
        </PostForm>
      )}
    </section>
  )
}
