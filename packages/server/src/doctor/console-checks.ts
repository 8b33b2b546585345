import { type Config, servesPasskeys } from '../config/config.js'
import { checkMailServer } from '../installation/mail-server.js'
import { type Finding, about, messageOf } from './finding.js'

const ADVICE = 'set COFRE_PUBLIC_PANEL_URL to an https origin with a name'

/** Reports the console's environments, and whether passkeys work there. */
export function* checkConsole(config: Config): Iterable<Finding> {
  const { ok, warning } = about('console')
  const { publicUrl } = config.endpoints.panel
  const { lacksPanelUrl, panelEnvironments } = config
  const reason = 'under an IP address, or by http on another machine, browsers have no passkeys'
  if (lacksPanelUrl)
    yield warning(`production is off, because its address is ${publicUrl}: ${reason}`, ADVICE)
  else if (!panelEnvironments.includes('production'))
    yield ok('production is off: COFRE_PANEL_ENVIRONMENTS leaves it out')
  else yield ok(`shows ${panelEnvironments.join(' and ')}`)
  if (servesPasskeys(publicUrl)) yield about('passkeys').ok(`belong to ${publicUrl}`)
  else yield about('passkeys').warning(`there are none at ${publicUrl}: ${reason}`, ADVICE)
}

/** Checks the mail server. Sends no letter. */
export async function checkLetters({ smtp }: Config): Promise<Finding> {
  const { ok, problem } = about('letters')
  if (smtp === undefined)
    return ok('none are sent, COFRE_SMTP_URL is not set: people are handed their links')
  const { host } = new URL(smtp.url.reveal())
  try {
    await checkMailServer(smtp)
    return ok(`${host} answers, and lets Cofre in; no letter was sent`)
  } catch (error) {
    return problem(
      `${host} takes no letters: ${messageOf(error)}`,
      'check COFRE_SMTP_URL, its user and password, and that this machine may connect there',
    )
  }
}
