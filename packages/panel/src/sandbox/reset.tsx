import type { SandboxParts } from '../visit/panel-parts.js'
import { PostForm } from '../part/parts.js'
import { type ConsolePages, done, refused } from '../frame/console-pages.js'
import { SANDBOX_TEXTS } from './texts.js'

/** Deletes the store's transactions, notifications, requests and inbox. */
export async function deleteTestData(
  { desk, sandbox }: Pick<SandboxParts, 'desk' | 'sandbox'>,
  storeId: string,
): Promise<void> {
  await desk.deleteTestData(storeId)
  await sandbox.requests.empty(storeId)
  await sandbox.inboxes.empty(storeId)
}

export function resetPages({ page, action }: ConsolePages, parts: SandboxParts): void {
  page('/reset', ({ view }) => {
    const texts = SANDBOX_TEXTS[view.language].reset
    const body = (
      <section class="card">
        <p>{texts.stays}</p>
        <PostForm action={view.at('/reset')}>
          <label class="choice">
            <input type="checkbox" name="confirm" value="yes" required />
            {texts.confirm}
          </label>
          <button class="bad">{texts.button}</button>
        </PostForm>
      </section>
    )
    return { body }
  })

  action(
    '/reset',
    { needs: 'sandbox:reset', act: 'sandbox:reset' },
    async ({ storeId, view }, form) => {
      if (form.get('confirm') !== 'yes') return refused('form-incomplete')
      await deleteTestData(parts, storeId)
      return done('reset-done', { to: view.at('/payments') })
    },
  )
}
