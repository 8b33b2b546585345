import type { Page, RecordedRequest } from '@cofre/sandbox'
import { Notice } from '../page/notice.js'
import { Pagination } from '../page/pagination.js'
import { Fact, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { Errors, RequestBodies, RequestDetails, RequestLine } from './request-details.js'
import { requestMessages } from './request-messages.js'

interface RequestListPageProps {
  readonly view: View
  readonly requests: Page<RecordedRequest>
  readonly failedOnly: boolean
}

export function RequestListPage({ view, requests, failedOnly }: RequestListPageProps) {
  const texts = requestMessages[view.language]
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      <nav class="tabs" aria-label={texts.which}>
        <a href="/requests" aria-current={failedOnly ? undefined : 'page'}>
          {texts.all}
        </a>
        <a href="/requests?failed=1" aria-current={failedOnly ? 'page' : undefined}>
          {texts.failedOnly}
        </a>
      </nav>
      {requests.found === 0 && <Notice {...(failedOnly ? texts.noneFailed : texts.empty)} />}
      {requests.items.map((request) => (
        <RequestDetails view={view} request={request} />
      ))}
      <Pagination view={view} of={requests} />
    </>
  )
}

interface RequestPageProps {
  readonly view: View
  readonly request: RecordedRequest
}

export function RequestPage({ view, request }: RequestPageProps) {
  const texts = requestMessages[view.language]
  const { id, atMs, transactionCode } = request
  return (
    <>
      <p class="crumb">
        <a href="/requests">{texts.back}</a>
      </p>
      <h1>{texts.one(id)}</h1>
      <RequestLine view={view} request={request} />
      <dl class="facts">
        <Fact term={texts.at}>
          <Time view={view} ms={atMs} />
        </Fact>
        {transactionCode !== undefined && (
          <Fact term={texts.transaction}>
            <a href={`/transactions/${transactionCode}`}>{transactionCode}</a>
          </Fact>
        )}
      </dl>
      <Errors view={view} request={request} />
      <RequestBodies view={view} request={request} />
    </>
  )
}
