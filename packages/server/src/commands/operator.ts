import { userInfo } from 'node:os'
import type { AuditEvent } from '@cofre/vault'

type OperatorEvent = Pick<AuditEvent, 'action' | 'record' | 'outcome'>

/** What the audit log says of an operator at the command line. */
export function operatorEvent(event: OperatorEvent): AuditEvent {
  return { actor: operator(), ...event }
}

/** Who runs this command, by the system's name. */
export function operator(): AuditEvent['actor'] {
  return `operator:${systemUser()}`
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    // Containers may run under a number that no account has.
    return 'unknown'
  }
}
