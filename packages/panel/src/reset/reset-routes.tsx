import { Hono } from 'hono'
import { readForm } from '../http/posted-form.js'
import { translated } from '../language/language.js'
import { setFlash } from '../page/flash.js'
import { backTo } from '../page/back-to.js'
import { PostForm } from '../page/post-form.js'
import { renderPage } from '../page/render-page.js'
import { type PanelEnv, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'

const resetMessages = translated({
  'pt-BR': {
    title: 'Apagar dados de teste',
    text: 'Apaga do sandbox todas as transações, reembolsos, notificações e requisições desta loja, e esvazia o receptor. Não há volta.',
    stays: 'Ficam as credenciais, as escolhas de liquidação e o relógio. A produção não é afetada.',
    confirm: 'Apagar todos os dados de teste desta loja',
    button: 'Apagar',
  },
  en: {
    title: 'Reset test data',
    text: 'Deletes all transactions, refunds, notifications and requests of this store from the sandbox, and empties the receiver. There is no way back.',
    stays: 'Credentials, settlement and the clock stay. Production is not affected.',
    confirm: 'Delete all test data of this store',
    button: 'Delete',
  },
})

/** Deletes the store's test data, after a confirmation. */
export function resetRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()

  app.get('/reset', (c) => {
    const view = viewOf(c)
    const texts = resetMessages[view.language]
    const body = (
      <>
        <h1>{texts.title}</h1>
        <section class="card">
          <p>{texts.text}</p>
          <p>{texts.stays}</p>
          <PostForm view={view} action="/reset">
            <label class="choice">
              <input type="checkbox" name="confirm" value="yes" required />
              {texts.confirm}
            </label>
            <button class="bad">{texts.button}</button>
          </PostForm>
        </section>
      </>
    )
    return renderPage(c, deps, { title: texts.title, body, page: 'reset' })
  })

  app.post('/reset', async (c) => {
    const isConfirmed = (await readForm(c)).get('confirm') === 'yes'
    setFlash(c, deps, isConfirmed ? 'reset-done' : 'form-incomplete')
    if (!isConfirmed) return backTo(c)
    await deps.desk.reset(c.var.signedIn.storeId)
    return c.redirect('/transactions', 303)
  })
  return app
}
