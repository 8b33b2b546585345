import type { AuthorizationOutcome } from '@cofre/contracts'
import { TEST_CARDS } from '@cofre/sandbox'
import { Hono } from 'hono'
import { translated } from '../language/language.js'
import { renderPage } from '../page/render-page.js'
import { Copyable } from '../page/shown-value.js'
import { type PanelEnv, type View, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'

type Outcomes = Readonly<Record<AuthorizationOutcome, string>>

const outcomesPt: Outcomes = {
  approved: 'aprovado',
  declined: 'recusado',
  review: 'fica em análise',
  pending: 'fica pendente',
  unknown: 'o provedor não responde',
}
const outcomesEn: Outcomes = {
  approved: 'approved',
  declined: 'declined',
  review: 'held for review',
  pending: 'pending',
  unknown: 'the provider does not answer',
}

const testDataMessages = translated({
  'pt-BR': {
    title: 'Dados de teste',
    intro:
      'O número do cartão escolhe o que o banco decide. Qualquer validade futura e qualquer CVV valem; qualquer outro cartão válido é aprovado.',
    cards: 'Cartões',
    number: 'Número',
    brand: 'Bandeira',
    outcome: 'Resultado',
    outcomes: outcomesPt,
  },
  'en-US': {
    title: 'Test data',
    intro:
      'The card’s number chooses what the bank decides. Any expiry ahead and any CVV will do; any other valid card is approved.',
    cards: 'Cards',
    number: 'Number',
    brand: 'Brand',
    outcome: 'Outcome',
    outcomes: outcomesEn,
  },
})

/** What decides an outcome in the sandbox. */
export function testDataRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.get('/test-data', (c) => {
    const { title } = testDataMessages[c.var.language]
    const body = <TestDataPage view={viewOf(c)} />
    return renderPage(c, deps, { title, body, page: 'test-data' })
  })
  return app
}

function TestDataPage({ view }: { readonly view: View }) {
  const texts = testDataMessages[view.language]
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      <table class="list" aria-label={texts.cards}>
        <thead>
          <tr>
            <th scope="col">{texts.number}</th>
            <th scope="col">{texts.brand}</th>
            <th scope="col">{texts.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {TEST_CARDS.map(({ number, brand, outcome }) => (
            <tr>
              <th scope="row" data-label={texts.number}>
                <Copyable view={view} id={`card-${number}`} text={number} label={number} />
              </th>
              <td data-label={texts.brand}>{brand}</td>
              <td data-label={texts.outcome}>{texts.outcomes[outcome]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
