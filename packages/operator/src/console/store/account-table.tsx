import { DAY_MS } from '@cofre/contracts'
import { properName } from '@cofre/pages'
import { namesOf, Time, useView, useTexts, type ShownAccount } from '@cofre/panel/page'
import { STORE_TEXTS } from './texts.js'

/** A certificate that ends within this time needs a replacement now. */
const ENDS_SOON_MS = 30 * DAY_MS

interface AccountTableProps {
  readonly accounts: readonly ShownAccount[]
  readonly nowMs: number
}

/** The store's accounts with banks and acquirers. */
export function AccountTable({ accounts, nowMs }: AccountTableProps) {
  const texts = useTexts(STORE_TEXTS).store.accounts
  const names = namesOf(accounts)
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
              <th scope="col">{texts.serves}</th>
              <th scope="col">{texts.state}</th>
              <th scope="col">{texts.certificate}</th>
              <th scope="col">{texts.tested}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <AccountRow account={account} name={names.of(account.id)} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      )}
      <p class="hint">{texts.changedBy}</p>
    </section>
  )
}

/** True if new charges are made at the account. */
function acceptsCharges({ disabledAtMs, methods }: ShownAccount): boolean {
  return disabledAtMs === undefined && methods.length > 0
}

interface AccountRowProps {
  readonly account: ShownAccount
  readonly name: string
  readonly nowMs: number
}

function AccountRow({ account, name, nowMs }: AccountRowProps) {
  const store = useTexts(STORE_TEXTS).store
  const { frame } = useView().texts
  const texts = store.accounts
  const { certificateUntilMs, company, id, kind, lastTest, methods } = account
  const endsSoon = certificateUntilMs !== undefined && certificateUntilMs - nowMs < ENDS_SOON_MS
  return (
    <tr>
      <th scope="row" data-label={texts.account}>
        <bdi>{name}</bdi> <code class="minor">{id}</code>
      </th>
      <td data-label={texts.provider}>
        {company} ({texts.kinds[kind]})
      </td>
      <td data-label={texts.serves}>
        {methods.length === 0 ? frame.none : methods.map((one) => texts.methods[one]).join(', ')}
        {methods.includes('card') && account.brands.length > 0 && (
          <>
            <br />
            <span class="minor">{account.brands.map(properName).join(', ')}</span>
          </>
        )}
      </td>
      <td data-label={texts.state}>
        {acceptsCharges(account) ? (
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
