import type { Messages } from '../language/messages.js'
import type { Refusal } from './refusal.js'

interface ProblemSummaryProps {
  readonly refusal: Refusal
  readonly messages: Messages
}

/** Everything that is wrong, above the form; the script fills the same place. */
export function ProblemSummary({ refusal, messages }: ProblemSummaryProps) {
  const { checkout } = messages
  const { fields, problems } = refusal
  const isEmpty = fields.length + problems.length === 0
  return (
    <div
      id="problems"
      class="problem"
      role="alert"
      tabindex={-1}
      data-testid="problems"
      data-error-code={problems[0]}
      hidden={isEmpty}
    >
      <h2>{checkout.problemsTitle}</h2>
      <ul>
        {problems.map((problem) => (
          <li>{checkout.problems[problem]}</li>
        ))}
        {fields.map((name) => (
          <li>
            <a href={`#${name}`}>{checkout.fieldErrors[name]}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
