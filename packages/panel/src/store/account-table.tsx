import { DAY_MS } from '@cofre/contracts'
import { Time } from '../frame/parts.js'
import { useView } from '../frame/visit.js'
import type { ShownAccount } from '../model/console-gateway.js'

/** A certificate that ends so soon wants a new one now. */
const ENDS_SOON_MS = 30 * DAY_MS

interface AccountTableProps {
  readonly accounts: readonly ShownAccount[]
  readonly nowMs: number
}

/** The store's accounts with banks; those with acquirers are the vault's. */
export function AccountTable({ accounts, nowMs }: AccountTableProps) {
  const texts = useView().texts.store.accounts
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {accounts.length === 0 && <p>{texts.none}</p>}
      {accounts.length > 0 && (
        <table class="list" aria-label={texts.title}>
          <thead>
            <tr>
              <th scope="col">{texts.account}</th>
              <th scope="col">{texts.provider}</th>
              <th scope="col">{texts.state}</th>
              <th scope="col">{texts.certificate}</th>
              <th scope="col">{texts.tested}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <AccountRow account={account} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      )}
      <p class="hint">{texts.ofVault}</p>
    </section>
  )
}

interface AccountRowProps {
  readonly account: ShownAccount
  readonly nowMs: number
}

function AccountRow({ account, nowMs }: AccountRowProps) {
  const { frame, store } = useView().texts
  const texts = store.accounts
  const { certificateUntilMs, disabledAtMs, id, kind, label, lastTest, provider } = account
  const endsSoon = certificateUntilMs !== undefined && certificateUntilMs - nowMs < ENDS_SOON_MS
  return (
    <tr>
      <th scope="row" data-label={texts.account}>
        {label} <code class="minor">{id}</code>
      </th>
      <td data-label={texts.provider}>
        {provider} ({texts.kinds[kind]})
      </td>
      <td data-label={texts.state}>
        {disabledAtMs === undefined ? (
          <span class="badge good">{texts.enabled}</span>
        ) : (
          <span class="badge waiting">{texts.disabled}</span>
        )}
      </td>
      <td data-label={texts.certificate}>
        {certificateUntilMs === undefined ? frame.none : <Time ms={certificateUntilMs} />}{' '}
        {endsSoon && <span class="badge bad">{texts.endsSoon}</span>}
      </td>
      <td data-label={texts.tested}>
        {lastTest === undefined ? texts.never : <Time ms={lastTest.atMs} />}{' '}
        {lastTest?.failure !== undefined && <span class="badge bad">{texts.failed}</span>}
      </td>
    </tr>
  )
}
