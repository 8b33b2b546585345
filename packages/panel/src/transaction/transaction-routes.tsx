import { TRANSACTION_STATUSES } from '@cofre/contracts'
import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { type Flash, setFlash } from '../page/flash.js'
import { renderNotice, renderPage } from '../page/render-page.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { backTo } from '../page/back-to.js'
import { firstTransactionCommands } from './first-transaction.js'
import { readFilterFields, toFilter } from './transaction-filter.js'
import { transactionListMessages } from './transaction-list-messages.js'
import { TransactionListPage } from './transaction-list-page.js'
import { transactionMessages } from './transaction-messages.js'
import { TransactionPage } from './transaction-page.js'

export function transactionRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const { desk, sandboxUrl, mediaVendor, publicUrl, demoShopUrl } = deps
  const app = new Hono<PanelEnv>()

  app.get('/transactions', async (c) => {
    const { storeId } = c.var.signedIn
    const fields = readFilterFields(c.req.query())
    const transactions = await desk.listTransactions(storeId, toFilter(fields, c.req.query('page')))
    const { title, yourSecret } = transactionListMessages[c.var.language]
    const { path } = await desk.inbox(storeId)
    const commands = firstTransactionCommands({
      sandboxUrl,
      mediaVendor,
      storeId,
      secretHint: yourSecret,
      notificationUrl: `${publicUrl}${path}`,
    })
    const body = (
      <TransactionListPage
        view={viewOf(c)}
        transactions={transactions}
        fields={fields}
        commands={commands}
        demoShopUrl={demoShopUrl}
      />
    )
    return renderPage(c, deps, { title, body, page: 'transactions' })
  })

  app.get('/transactions/:code', async (c) => {
    const { storeId } = c.var.signedIn
    const transaction = await desk.findTransaction(storeId, c.req.param('code'))
    if (transaction === undefined) return renderNotice(c, deps, { name: 'notFound', status: 404 })
    const { refund } = await desk.settlementModes(storeId)
    const body = (
      <TransactionPage
        view={viewOf(c)}
        transaction={transaction}
        sandboxUrl={sandboxUrl}
        refundsByHand={refund.kind === 'by-hand'}
      />
    )
    const title = transactionMessages[c.var.language].title(transaction.reference)
    return renderPage(c, deps, { title, body, page: 'transactions' })
  })

  app.post('/transactions/:code/status', async (c) => {
    const code = c.req.param('code')
    const chosen = (await readForm(c)).get('status')
    const status = TRANSACTION_STATUSES.find((known) => known === chosen)
    const flash =
      status === undefined
        ? 'form-incomplete'
        : STATUS_FLASHES[await desk.changeStatus(c.var.signedIn.storeId, code, status)]
    setFlash(c, deps, flash)
    return backTo(c)
  })
  return app
}

const STATUS_FLASHES = {
  changed: 'status-notified',
  'not-found': 'gone',
  'not-allowed': 'status-not-allowed',
} as const satisfies Readonly<Record<string, Flash>>
