import { fill, formatMoney, sendDocument } from '@cofre/pages'
import { minorUnits } from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { PageEnv } from '../../page/pages.js'
import { Layout, PostForm, problemPage } from '../../page/view.js'
import type { View } from './view.js'

/** An issuer's question to its cardholder. */
interface ShownChallenge {
  readonly id: string
  readonly amountMinor: number
  readonly reference: string
  /** The shop's address, once the holder has answered. */
  readonly returnAddress: string | undefined
}

export interface ShownChallenges {
  find(id: string): ShownChallenge | undefined
  /** @throws RangeError if the question is no longer open */
  answer(id: string, answer: 'passed' | 'failed'): void
}

const answerSchema = z.enum(['passed', 'failed'])

export function addChallenges(
  app: Hono<PageEnv>,
  challenges: ShownChallenges,
  view: (c: Context<PageEnv>) => View,
): void {
  app.get('/challenges/:id', (c) => {
    const challenge = challenges.find(c.req.param('id'))
    if (challenge === undefined) return problemPage(c, view(c), 'missing')
    // A refresh, because a form of this page may not lead to another origin.
    if (challenge.returnAddress !== undefined)
      c.header('Refresh', `0;url=${challenge.returnAddress}`)
    return sendDocument(c, <ChallengePage view={view(c)} challenge={challenge} />)
  })
  app.post('/challenges/:id/:answer', (c) => {
    const { id, answer } = c.req.param()
    challenges.answer(id, answerSchema.parse(answer))
    return c.redirect(`/challenges/${id}`, 303)
  })
}

interface ChallengeProps {
  readonly view: View
  readonly challenge: ShownChallenge
}

function ChallengePage({ view, challenge }: ChallengeProps) {
  const { id, reference, returnAddress } = challenge
  const texts = view.texts.challenge
  const amount = formatMoney(minorUnits(challenge.amountMinor), view.language)
  return (
    <Layout view={view} title={texts.title}>
      <h1>{texts.title}</h1>
      <p>{fill(texts.question, { amount, reference })}</p>
      {returnAddress === undefined ? (
        <div class="actions">
          <PostForm view={view} action={`/challenges/${id}/passed`}>
            <button>{texts.pass}</button>
          </PostForm>
          <PostForm view={view} action={`/challenges/${id}/failed`}>
            <button class="quiet">{texts.fail}</button>
          </PostForm>
          <p>{texts.leave}</p>
        </div>
      ) : (
        <p>
          <a class="button" href={returnAddress}>
            {texts.back}
          </a>
        </p>
      )}
    </Layout>
  )
}
