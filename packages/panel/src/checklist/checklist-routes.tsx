import type { Checklist } from '@cofre/sandbox'
import { Hono } from 'hono'
import { renderPage } from '../page/render-page.js'
import { Time } from '../page/shown-value.js'
import { type PanelEnv, type View, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { checklistMessages } from './checklist-messages.js'

/** Which steps of the integration the sandbox has seen. */
export function checklistRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.get('/checklist', async (c) => {
    const checklist = await deps.desk.checklist(c.var.signedIn.storeId)
    const body = <ChecklistPage view={viewOf(c)} checklist={checklist} />
    const { title } = checklistMessages[c.var.language]
    return renderPage(c, deps, { title, body, page: 'checklist' })
  })
  return app
}

interface ChecklistPageProps {
  readonly view: View
  readonly checklist: Checklist
}

function ChecklistPage({ view, checklist: { steps } }: ChecklistPageProps) {
  const texts = checklistMessages[view.language]
  const done = steps.filter(({ doneAtMs }) => doneAtMs !== undefined).length
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{texts.intro}</p>
      <p class="progress">
        <label for="progress">{texts.progress(done, steps.length)}</label>
        <progress id="progress" value={done} max={steps.length}></progress>
      </p>
      <ol class="checklist">
        {steps.map(({ step, doneAtMs }) => (
          <li class={doneAtMs === undefined ? 'to-do' : 'done'}>
            <svg class="tick" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <circle cx="12" cy="12" r="10" />
              {doneAtMs !== undefined && <path d="M7.5 12.5l3 3 6-6.5" />}
            </svg>
            <div>
              <h2>
                {texts.steps[step].title}
                <span class="visually-hidden">
                  : {doneAtMs === undefined ? texts.toDo : texts.done}
                </span>
              </h2>
              <p class="hint">
                {doneAtMs === undefined ? (
                  texts.steps[step].hint
                ) : (
                  <Time view={view} ms={doneAtMs} />
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
