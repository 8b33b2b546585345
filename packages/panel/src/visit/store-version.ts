import { SETTLED_METHODS } from '@cofre/sandbox'
import type { SandboxParts } from './panel-parts.js'

/**
 * A text that changes with anything that the panel shows of the store. It costs a few index probes,
 * because every open page asks once a second.
 */
export async function storeVersion(
  { backOffice, desk, sandbox }: Pick<SandboxParts, 'backOffice' | 'desk' | 'sandbox'>,
  storeId: string,
): Promise<string> {
  const { clock, inboxes, modes, requests } = sandbox
  const [revision, request, inbox, chosen, merchant] = await Promise.all([
    desk.revision(storeId),
    requests.newest(storeId),
    inboxes.revision(storeId),
    modes.modesOf(storeId),
    backOffice.findMerchant(storeId),
  ])
  const methods = SETTLED_METHODS.map((method) => {
    const mode = chosen[method]
    return mode.kind === 'after' ? `after${mode.seconds}` : mode.kind
  })
  const rotatedUntilMs = merchant?.previousSecret?.untilMs ?? 0
  return [revision, request, inbox, ...methods, rotatedUntilMs, clock.offsetMs()].join('.')
}
