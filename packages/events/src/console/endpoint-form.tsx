import { EVENT_TYPES, type Failure } from '@cofre/contracts'
import { messageOf } from '@cofre/contracts/errors'
import { type Form, PostForm, useTexts, useView } from '@cofre/panel/page'
import type { TypedEndpoint } from '../model/shown-events.js'
import { EVENTS_TEXTS } from './texts.js'

const URL_LENGTH_MAX = 200

export const EMPTY_ENDPOINT: TypedEndpoint = { url: '', types: [], enabled: true }

export function readEndpoint(form: Form): TypedEndpoint {
  return {
    url: (form.get('url') ?? '').trim(),
    types: EVENT_TYPES.filter((type) => form.get(boxOf(type)) === 'yes'),
    enabled: form.get('enabled') === 'yes',
  }
}

const boxOf = (type: string): string => `type-${type}`

interface EndpointFormProps {
  readonly action: string
  readonly typed: TypedEndpoint
  /** The drawn code of a new one. */
  readonly code?: string
  readonly submit: string
  readonly failures?: readonly Failure[]
}

export function EndpointForm({ action, typed, code, submit, failures = [] }: EndpointFormProps) {
  const texts = useTexts(EVENTS_TEXTS).form
  const isUrlWrong = failures.some(isOfUrl)
  return (
    <PostForm action={action} class="card">
      {failures.length > 0 && <Problems failures={failures} />}
      {code !== undefined && <input type="hidden" name="endpoint" value={code} />}
      <div class="field">
        <label for="url">{texts.url}</label>
        <input
          id="url"
          name="url"
          type="url"
          value={typed.url}
          required
          maxlength={URL_LENGTH_MAX}
          autocomplete="off"
          aria-describedby={isUrlWrong ? 'url-hint url-problem' : 'url-hint'}
          aria-invalid={isUrlWrong ? 'true' : undefined}
        />
        <p class="hint" id="url-hint">
          {texts.urlHint}
        </p>
        {isUrlWrong && (
          <p class="problem" id="url-problem">
            {texts.urlProblem}
          </p>
        )}
      </div>
      <fieldset class="field" aria-describedby="types-hint">
        <legend>{texts.types}</legend>
        {EVENT_TYPES.map((type) => (
          <label class="choice">
            <input
              type="checkbox"
              name={boxOf(type)}
              value="yes"
              checked={typed.types.includes(type)}
            />
            <code>{type}</code>
          </label>
        ))}
        <p class="hint" id="types-hint">
          {texts.typesHint}
        </p>
      </fieldset>
      <label class="choice">
        <input type="checkbox" name="enabled" value="yes" checked={typed.enabled} />
        {texts.enabled}
      </label>
      <button>{submit}</button>
    </PostForm>
  )
}

const isOfUrl = ({ property }: Failure): boolean => property === 'url'

function Problems({ failures }: { readonly failures: readonly Failure[] }) {
  const { language } = useView()
  const texts = useTexts(EVENTS_TEXTS).form
  return (
    <div class="flash bad" role="alert" tabindex={-1} autofocus>
      {failures.map((failure) =>
        isOfUrl(failure) ? (
          <p>
            <a href="#url">{texts.url}</a>: {texts.urlProblem}
          </p>
        ) : (
          <p>{messageOf(failure, language).replaceAll('`', '')}</p>
        ),
      )}
    </div>
  )
}
