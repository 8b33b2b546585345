import { fill } from '@cofre/pages'
import { type RecordedRequest, type RequestMilestone, UNKNOWN_FIELDS } from '@cofre/sandbox'
import type { SandboxParts } from '../visit/panel-parts.js'
import { Time } from '../part/parts.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { useView, useTexts } from '../visit/visit.js'
import type { Milestone } from '@cofre/gateway/room'
import { SANDBOX_TEXTS } from './texts.js'

type Step = Milestone | RequestMilestone

/** In the order of the texts, which have every step. */
const STEPS = Object.keys(
  SANDBOX_TEXTS.en.checklist.steps satisfies Record<Step, unknown>,
) as readonly Step[]

interface Progress {
  readonly step: Step
  readonly doneAtMs: number | undefined
}

/** The steps of the integration that the sandbox has seen. */
export async function readProgress(
  { desk, sandbox }: Pick<SandboxParts, 'desk' | 'sandbox'>,
  storeId: string,
): Promise<readonly Progress[]> {
  const milestones = await desk.milestones(storeId)
  const requested = await sandbox.requests.milestones(storeId)
  const reached = { ...milestones, ...Object.fromEntries(requested) } as Partial<
    Record<Step, number | null>
  >
  return STEPS.map((step) => ({ step, doneAtMs: reached[step] ?? undefined }))
}

export function checklistPage({ page }: ConsolePages, parts: SandboxParts): void {
  page('/checklist', async ({ storeId, view }) => {
    const steps = await readProgress(parts, storeId)
    const surprising = await parts.sandbox.requests.withUnknownFields(storeId)
    const done = steps.filter(({ doneAtMs }) => doneAtMs !== undefined).length
    const text = fill(SANDBOX_TEXTS[view.language].checklist.progress, { done, all: steps.length })
    const body = (
      <>
        <p class="progress">
          <label for="progress">{text}</label>
          <progress id="progress" value={done} max={steps.length}></progress>
        </p>
        {surprising !== undefined && <UnknownFields {...surprising} />}
        <ol class="card checklist">
          {steps.map((progress) => (
            <StepItem {...progress} />
          ))}
        </ol>
      </>
    )
    return { body }
  })
}

/** The newest request's unknown fields, usually misspelt names. */
function UnknownFields({ id, method, target, responseHeaders }: RecordedRequest) {
  const { at } = useView()
  const { unknownFields } = useTexts(SANDBOX_TEXTS).checklist
  const request = `${method} ${target.replace(/\?.*$/s, '')}`
  return (
    <p class="hint">
      <a href={at(`/requests/${id}`)}>{fill(unknownFields, { request })}</a>{' '}
      <code>{responseHeaders[UNKNOWN_FIELDS]}</code>
    </p>
  )
}

function StepItem({ step, doneAtMs }: Progress) {
  const texts = useTexts(SANDBOX_TEXTS).checklist
  const { title, hint } = texts.steps[step]
  const isDone = doneAtMs !== undefined
  return (
    <li class={isDone ? 'done' : 'to-do'}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="12" cy="12" r="10" />
        {isDone && <path d="M7.5 12.5l3 3 6-6.5" />}
      </svg>
      <div>
        <h2>
          {title}
          <span class="visually-hidden">: {isDone ? texts.done : texts.toDo}</span>
        </h2>
        <p class="hint">{isDone ? <Time ms={doneAtMs} /> : hint}</p>
      </div>
    </li>
  )
}
