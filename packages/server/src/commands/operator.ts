import type { AuditEvent } from '@cofre/vault'
import { userName } from '../user-name.js'

type OperatorEvent = Pick<AuditEvent, 'action' | 'record' | 'outcome'>

/** What the audit log says of an operator at the command line. */
export function operatorEvent(event: OperatorEvent): AuditEvent {
  return { actor: operator(), ...event }
}

/** Who runs this command, by the system's name. */
export function operator(): `operator:${string}` {
  return `operator:${userName()}`
}
