import type { Child } from 'hono/jsx'

interface FindableListProps {
  /** Id of the section; results appear at the address of that name, too. */
  readonly id: string
  readonly texts: Readonly<
    Record<'title' | 'none' | 'code' | 'find' | 'name' | 'status' | 'pay', string>
  >
  /** Heading of the second column. */
  readonly when: string
  readonly rows: readonly Child[]
}

/** A list of payable charges, with a search by the payer's code. */
export function FindableList({ id, texts, when, rows }: FindableListProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{texts.title}</h2>
      {rows.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <>
          <form action={`/${id}`} class="bank-form">
            <label>
              {texts.code}
              <input name="code" autocomplete="off" required />
            </label>
            <button class="quiet">{texts.find}</button>
          </form>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">{texts.name}</th>
                <th scope="col">{when}</th>
                <th scope="col">{texts.status}</th>
                <th scope="col">
                  <span class="visually-hidden">{texts.pay}</span>
                </th>
              </tr>
            </thead>
            <tbody>{rows}</tbody>
          </table>
        </>
      )}
    </section>
  )
}
