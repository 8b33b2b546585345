import type { Inbox, InboxItem } from '@cofre/sandbox'
import { MessageBody } from '../page/message-body.js'
import { Notice } from '../page/notice.js'
import { PostForm } from '../page/post-form.js'
import { Copyable, Fact, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { receiverMessages } from './receiver-messages.js'

interface ReceiverPageProps {
  readonly view: View
  readonly inbox: Inbox
  readonly url: string
}

export function ReceiverPage(props: ReceiverPageProps) {
  const { view, inbox, url } = props
  const texts = receiverMessages[view.language]
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      <section class="card">
        <h2>{texts.url}</h2>
        <Copyable view={view} id="receiver-url" text={url} label={texts.url} block />
        <Answer {...props} />
      </section>
      <section>
        <h2>{texts.items}</h2>
        {inbox.items.length === 0 ? (
          <Notice {...texts.empty} />
        ) : (
          <>
            {inbox.items.map((item) => (
              <Item view={view} item={item} />
            ))}
            <PostForm view={view} action="/receiver/empty">
              <button class="quiet">{texts.emptyIt}</button>
            </PostForm>
          </>
        )}
      </section>
    </>
  )
}

function Answer({ view, inbox }: ReceiverPageProps) {
  const texts = receiverMessages[view.language]
  return (
    <PostForm view={view} action="/receiver/answer" class="inline-form">
      <label>
        {texts.answer}
        <select name="status" aria-describedby="answer-hint">
          {Object.entries(texts.answers).map(([status, text]) => (
            <option value={status} selected={Number(status) === inbox.answer}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button>{texts.apply}</button>
      <p class="hint" id="answer-hint">
        {texts.answerHint}
      </p>
    </PostForm>
  )
}

function Item({ view, item }: { readonly view: View; readonly item: InboxItem }) {
  const texts = receiverMessages[view.language]
  return (
    <article class="card">
      <p class="request-line">
        <span class={`badge ${item.statusCode === 200 ? 'good' : 'bad'}`}>
          {texts.answered(item.statusCode)}
        </span>
        <Time view={view} ms={item.atMs} />
      </p>
      <MessageBody view={view} label={texts.body} text={item.body} />
      <details data-keep={`item-${item.id}`}>
        <summary>{texts.headers}</summary>
        <dl class="facts">
          {Object.entries(item.headers).map(([name, value]) => (
            <Fact term={name}>
              <code>{value}</code>
            </Fact>
          ))}
        </dl>
      </details>
    </article>
  )
}
