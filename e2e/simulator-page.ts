/** Posts a form of the page; resolves to the response, which is a redirect. */
type PostForm = (address: string, fields: Readonly<Record<string, string>>) => Promise<Response>

/** A simulator's page without a browser. @param page - Its address. */
export async function openSimulatorPage(page: string): Promise<PostForm> {
  const answer = await fetch(page)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const csrf = /name="csrf" value="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
  return (address, fields) =>
    fetch(page + address, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookies.join('; ') },
      body: new URLSearchParams({ csrf, ...fields }),
    })
}
