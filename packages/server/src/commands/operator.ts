import { userInfo } from 'node:os'
import type { AuditEvent } from '@cofre/vault'

type OperatorEvent = Pick<AuditEvent, 'action' | 'record' | 'outcome'>

/** What the audit log says of an operator at the command line: the system's name of who ran it. */
export function operatorEvent(event: OperatorEvent): AuditEvent {
  return { actor: `operator:${systemUser()}`, ...event }
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    // Containers may run under a number that no account has.
    return 'unknown'
  }
}
